import fc from 'fast-check';
import { gatherFault, localFault } from '../arbitraries/local-faults.ts';
import type { SuiteProperty } from '../property.ts';
import { timingOf } from '../rc-requester/timing.ts';
import type { LocalFault, Role, Step, WrPlan } from '../scenario.ts';
import { post, query, receives, recover, scenarios, sends, settle, smallSend, to, wrOf } from './parts.ts';
import type { Service } from './parts.ts';

const at: Role = 'requester';
const every: readonly Service[] = ['RC', 'UC', 'UD'];

type Flaw =
  | { kind: 'memory'; fault: LocalFault; placed: boolean }
  | { kind: 'raw'; number: number }
  | { kind: 'elements'; more: number }
  | { kind: 'operation'; opcode: WrPlan['opcode'] };

function flaw(): fc.Arbitrary<Flaw> {
  const memory =
    (placed: boolean) =>
    (fault: LocalFault): Flaw => ({ kind: 'memory', fault, placed });
  return fc.oneof(
    { weight: 4, arbitrary: gatherFault().map(memory(false)) },
    { weight: 2, arbitrary: localFault().map(memory(true)) },
    { weight: 2, arbitrary: fc.constant(memory(true)('rights')) },
    { weight: 2, arbitrary: fc.constantFrom(99, 200, 63).map((number): Flaw => ({ kind: 'raw', number })) },
    fc.integer({ min: 1, max: 30 }).map((more): Flaw => ({ kind: 'elements', more })),
    fc
      .constantFrom('IBV_WR_RDMA_READ' as const, 'IBV_WR_RDMA_WRITE' as const)
      .map((opcode): Flaw => ({ kind: 'operation', opcode })),
  );
}

function flawed(what: Flaw, service: Service, signaled: boolean, sges: number): WrPlan {
  const plain = wrOf({ length: 64, signaled });
  switch (what.kind) {
    case 'memory':
      return {
        ...plain,
        sges,
        localFault: !what.placed && what.fault === 'rights' ? 'lkey' : what.fault,
        // of all services, RC alone places what others send
        ...(what.placed && service === 'RC' && { opcode: 'IBV_WR_RDMA_READ' as const }),
        ...(service !== 'RC' && what.fault === 'rights' && { localFault: 'bounds' as const }),
      };
    case 'raw':
      return { ...plain, rawOpcode: what.number };
    case 'elements':
      return { ...plain, sges: Math.min(60, 3 + what.more) };
    case 'operation':
      return service === 'RC' ? { ...plain, rawOpcode: 99 } : { ...plain, opcode: what.opcode };
  }
}

export const faultySend: SuiteProperty = {
  id: 'verbs/faulty-send',
  suite: 'verbs',
  says: 'A work request that is wrong in itself fails in its turn with the status of its fault, and takes the QP to ERR or SQE.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      every,
      fc.record({
        count: fc.nat(2),
        flaw: flaw(),
        sges: fc.integer({ min: 1, max: 3 }),
        signaled: fc.boolean(),
        held: fc.boolean(),
        before: fc.array(smallSend(), { maxLength: 2 }),
        behind: sends(3),
        late: sends(2),
        lateReceives: fc.nat(2),
        back: fc.boolean(),
        after: sends(2, 1),
      }),
      ({ service }, d) => {
        const unreliable = service !== 'RC';
        const bad = flawed(d.flaw, service, d.signaled, d.sges);
        // of RC, the answers come once all that was sent before is on its way
        const before = d.before.map((s) => ({ ...s, signaled: true }));
        const answers: Step[] =
          unreliable || before.length === 0
            ? []
            : [
                { do: 'await', packets: before.length, us: timingOf(profile).prompt },
                {
                  do: 'respond',
                  packet: {
                    reply: { kind: 'ack' },
                    psn: { from: 'wr-end', wr: before.length - 1, offset: 0 },
                  },
                },
                { do: 'finish', us: timingOf(profile).prompt },
              ];
        const posted: Step[] = [post(at, bad), ...d.behind.map((s) => post(at, wrOf(s)))];
        const reads = bad.opcode === 'IBV_WR_RDMA_READ' && service === 'RC';
        return {
          plan: { maxSge: 3 },
          steps: [
            ...receives(at, service, d.count),
            ...before.map((s) => post(at, wrOf(s))),
            ...answers,
            ...(d.held ? [to(at, 'IBV_QPS_SQD'), ...posted, settle, query, to(at, 'IBV_QPS_RTS')] : posted),
            ...(reads ? ([{ do: 'await', packets: 1, us: timingOf(profile).prompt }] satisfies Step[]) : []),
            ...(reads
              ? ([
                  {
                    do: 'respond',
                    packet: { reply: { kind: 'read' }, psn: { from: 'wr', wr: before.length, offset: 0 } },
                  },
                ] satisfies Step[])
              : []),
            settle,
            query,
            ...d.late.map((s) => post(at, wrOf(s))),
            ...receives(at, service, d.lateReceives),
            settle,
            query,
            ...(d.back && unreliable ? [recover(at), query] : []),
            ...d.after.map((s) => post(at, wrOf(s))),
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
    'send-without-right',
    'send-opcode-invalid',
    'flush-send-in-sqe',
    'unreliable-recovers',
  ],
};
