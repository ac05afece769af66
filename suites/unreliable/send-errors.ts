import fc from 'fast-check';
import { gatherFault } from '../arbitraries/local-faults.ts';
import { inject, recv, settle } from '../arbitraries/packets.ts';
import { unreliable, type Service } from '../arbitraries/unreliable.ts';
import type { SuiteProperty } from '../property.ts';
import type { LocalFault, Step, WrPlan } from '../scenario.ts';
import { suiteOf } from './admission.ts';
import { amplyFor, packetsOfProbe, probe } from './probe.ts';
import { post, request, wrOfRequest } from './requests.ts';

/** What makes a work request one that cannot be carried out. */
type Flaw =
  | { kind: 'memory'; fault: LocalFault }
  /** no operation of the service, or none at all */
  | { kind: 'opcode'; opcode: WrPlan['opcode'] }
  | { kind: 'raw'; number: number }
  | { kind: 'elements' };

function flaw(service: Service): fc.Arbitrary<Flaw> {
  const foreign = ['IBV_WR_RDMA_READ', 'IBV_WR_ATOMIC_FETCH_AND_ADD', 'IBV_WR_SEND_WITH_INV'] as const;
  const opcodes = service === 'UC' ? foreign : ([...foreign, 'IBV_WR_RDMA_WRITE'] as const);
  return fc.oneof(
    { weight: 3, arbitrary: gatherFault().map((fault): Flaw => ({ kind: 'memory', fault })) },
    fc.constantFrom(...opcodes).map((opcode): Flaw => ({ kind: 'opcode', opcode })),
    fc.constantFrom(31, 99, 200).map((number): Flaw => ({ kind: 'raw', number })),
    fc.constant<Flaw>({ kind: 'elements' }),
  );
}

function flawed(wr: WrPlan, what: Flaw, sges: number): WrPlan {
  const { inline: _, ...plain } = wr;
  const length = Math.max(8, plain.length);
  switch (what.kind) {
    case 'memory':
      return { ...plain, length, localFault: what.fault, sges };
    case 'opcode':
      return { ...plain, length: 8, opcode: what.opcode };
    case 'raw':
      return { ...plain, rawOpcode: what.number };
    case 'elements':
      return { ...plain, length, sges: 5 };
  }
}

export function sendErrors(service: Service): SuiteProperty {
  const suite = suiteOf[service];
  return {
    id: `${suite}/send-errors`,
    suite,
    requires: [suite],
    says: 'A work request that cannot be carried out stops the send queue alone: those before it are sent, those behind it flushed, receiving goes on, and software brings it back.',
    arbitrary: (profile) =>
      unreliable(
        service,
        'requester',
        profile,
        fc.record({
          before: fc.array(request(service, profile, { mostMtus: 2 }), { maxLength: 2 }),
          bad: fc.record({
            request: request(service, profile, { mostMtus: 2 }),
            flaw: flaw(service),
            sges: fc.integer({ min: 1, max: 3 }),
            signaled: fc.boolean(),
          }),
          behind: fc.array(request(service, profile, { mostMtus: 1 }), { maxLength: 2 }),
          waits: fc.boolean(),
          late: fc.array(request(service, profile, { mostMtus: 1 }), { maxLength: 1 }),
          arrives: fc.array(probe(service, profile, { mostMtus: 1 }), { maxLength: 2 }),
          back: fc.boolean(),
          after: fc.array(request(service, profile, { mostMtus: 2 }), { minLength: 1, maxLength: 2 }),
        }),
        ({ mtu }, { before, bad, behind, waits, late, arrives, back, after }) => {
          const receives = arrives.map((): Step => ({ ...recv(amplyFor(mtu)), at: 'requester' }));
          // with a late request, the receives are posted late as well
          const [early, behindFailure] = late.length === 0 ? [receives, []] : [[], receives];
          return {
            scripted: true,
            requester: { maxSge: 3 },
            steps: [
              { do: 'query_port' },
              ...early,
              ...before.map((r) => post(wrOfRequest(r, mtu))),
              ...(waits ? [settle] : []),
              post({ ...flawed(wrOfRequest(bad.request, mtu), bad.flaw, bad.sges), signaled: bad.signaled }),
              ...behind.map((r) => post(wrOfRequest(r, mtu))),
              settle,
              { do: 'query_qp' },
              ...behindFailure,
              ...late.map((r) => post(wrOfRequest(r, mtu))),
              ...arrives.flatMap((p) => packetsOfProbe(p, mtu).map(inject)),
              settle,
              ...(back ? recovery : []),
              ...after.map((r) => post(wrOfRequest(r, mtu))),
              settle,
            ],
          };
        },
      ),
    aims: [
      'send-key-unregistered',
      'send-region-deregistered',
      'send-out-of-bounds',
      'send-foreign-domain',
      'send-too-many-elements',
      'send-opcode-invalid',
      'flush-send-in-sqe',
      'flush-receive-in-sqe',
      'unreliable-sent-stopped',
      'unreliable-recovers',
      'unreliable-sent-behind-failure',
      `${suite}-admit-sqe`,
      ...(suite === 'ud' ? ['qp-query-qkey'] : []),
    ],
  };
}

/** From SQE a QP goes back to RTS by its state alone; a QP that is in RTS may be told so. */
export const recovery: Step[] = [
  { do: 'modify_qp', at: 'requester', state: 'IBV_QPS_RTS', omit: ['sq_psn'] },
  { do: 'query_qp' },
];
