import fc from 'fast-check';
import { inject, packet } from '../../arbitraries/packets.ts';
import { anyCell, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { answer, type Work } from '../../rc-requester/parts.ts';
import type { PacketDefect, PacketPlan, Step, WrPlan } from '../../scenario.ts';
import { headerBytes, post, query, receives, scenarios, settle, type Service } from '../parts.ts';

export const every: readonly Service[] = ['RC', 'UC', 'UD'];

type Field = Extract<PacketDefect, { kind: 'unusual' }>['field'];
const fields: readonly Field[] = ['udp-checksum', 'low-src-port', 'limited-member'];

/** Packets of a message of 7 bytes, or of 7 more than the path MTU, so that there is something to pad. */
export const forms = ['send', 'long-send', 'write', 'read'] as const;
export type Form = (typeof forms)[number];

const unusual: Grid<[Field, Form]> = {
  name: 'what is unusual in the header, and the message',
  cells: () => pairs(fields, forms),
};

export function packetsOf(form: Form, service: Service): PacketPlan[] {
  const payload = { mtus: 0, bytes: 7 };
  const target = { region: 0, offset: 8, length: 7 };
  if (service === 'UD' || form === 'send') return [packet('SEND_ONLY', { payload })];
  if (form === 'write') return [packet('RDMA_WRITE_ONLY', { payload, target })];
  if (form === 'read' && service === 'RC') return [packet('RDMA_READ_REQUEST', { target })];
  return [packet('SEND_FIRST', { payload: { mtus: 1, bytes: 0 } }), packet('SEND_LAST', { payload })];
}

export const unusualRequests: SuiteProperty = {
  id: 'verbs/unusual-requests',
  suite: 'verbs',
  says: 'Packets are taken with a UDP checksum, from any UDP port, and from a limited member of the partition.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      every,
      fc.record({ cell: anyCell(unusual, profile), before: fc.boolean(), part: fc.nat(1) }),
      ({ service, mtu }, { cell: [field, form], before, part }) => {
        const packets = packetsOf(form, service);
        const odd = part % packets.length;
        const defect: PacketDefect = { kind: 'unusual', field };
        return {
          steps: [
            ...receives('responder', service, 4, mtu + 64 + headerBytes[service]),
            ...(before ? packetsOf('send', service).map(inject) : []),
            ...packets.map((one, i) => inject(i === odd ? { ...one, defect } : one)),
            settle,
            ...packetsOf('send', service).map(inject),
            settle,
            query,
          ],
        };
      },
    ),
  grids: [unusual],
  aims: ['rc-receive-completes', 'uc-receive-completes', 'ud-receive-completes', 'rc-read-executed'],
};

const answers: Grid<[Field, Form]> = {
  ...unusual,
  name: 'what is unusual in the header of an answer, and to what',
};

const opcodes: Readonly<Record<Form, WrPlan['opcode']>> = {
  send: 'IBV_WR_SEND',
  'long-send': 'IBV_WR_SEND',
  write: 'IBV_WR_RDMA_WRITE',
  read: 'IBV_WR_RDMA_READ',
};

/** Work requests of the DUT; the answer to the first has a defect. */
export function answered(defect: PacketDefect, form: Form, behind: readonly Form[], mtu: number): Step[] {
  const wrs = [form, ...behind].map((one): WrPlan => ({
    opcode: opcodes[one],
    length: one === 'long-send' ? mtu + 7 : 7,
    region: 0,
    offset: 0,
    signaled: true,
  }));
  const work: Work = { wrs, mtu };
  const spoilt = (step: Step): Step =>
    step.do === 'respond' ? { ...step, packet: { ...step.packet, defect } } : step;
  return [
    ...wrs.flatMap((wr, n) => [
      post('requester', wr),
      settle,
      ...answer(work, n).map((step) => (n === 0 ? spoilt(step) : step)),
      settle,
    ]),
    query,
  ];
}

export const unusualAnswers: SuiteProperty = {
  id: 'verbs/unusual-answers',
  suite: 'verbs',
  says: 'Answers are taken with a UDP checksum, from any UDP port, and from a limited member of the partition.',
  requires: ['rc'],
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      ['RC'],
      fc.record({
        cell: anyCell(answers, profile),
        behind: fc.nat(1),
      }),
      ({ mtu }, { cell: [field, form], behind }) => {
        return { steps: answered({ kind: 'unusual', field }, form, forms.slice(0, behind), mtu) };
      },
    ),
  grids: [answers],
  aims: ['rc-send-completes', 'rc-response-data'],
};
