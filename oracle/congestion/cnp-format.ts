import type { Packet } from '../../wire/packet.ts';
import { samePkey } from '../device/packet/header.ts';
import { qpName, type Qp } from '../device/qp.ts';
import type { Rule } from '../rules.ts';
import type { When } from '../spot.ts';
import { packetInputs, toNobody } from './arrival.ts';
import type { CongestionContext } from './context.ts';
import { ruleWord } from '../rulebook/outcome.ts';
import type { CongestionInputs } from './variables.ts';

/** A packet that met congestion. */
export interface MarkedPacket {
  readonly packet: Packet;
  /** it is valid beyond doubt */
  readonly sound: boolean;
}

/** One part of a CNP that is not as a rule demands. */
export interface CnpFault {
  rule: Rule;
  expected: string;
  observed: string;
}

type Part = CongestionInputs['cnpPart'];
type Flow = { address: string; peerNumber: number; qp: Pick<Qp, 'pkey' | 'anyPartition'> };
type Inputs = Pick<CongestionInputs, 'packet' | 'cnpPart' | 'field' | 'flow' | 'body'>;

/** Parts of a CNP, as the vocabulary names them, and the number or bit that one of them holds. */
const parts: Readonly<Record<Part, (cnp: Packet) => number>> = {
  solicited: ({ solicited }) => Number(solicited),
  'mig-req': ({ migReq }) => Number(migReq),
  'pad-count': ({ padCount }) => padCount,
  tver: ({ tver }) => tver,
  fecn: ({ fecn }) => Number(fecn),
  'ack-req': ({ ackReq }) => Number(ackReq),
  psn: ({ psn }) => psn,
  'reserved-bits': ({ resv6, resv7 }) => resv6 * 0x80 + resv7,
  becn: ({ becn }) => Number(becn),
  pkey: ({ pkey }) => pkey,
  'dest-qp': ({ destQp }) => destQp,
  ecn: ({ ecn }) => ecn,
  addresses: () => 0,
  body: () => 0,
  icrc: () => 0,
};

/** What tools call a part that holds a number. */
const partNames: Readonly<Partial<Record<Part, string>>> = {
  solicited: 'SE',
  'mig-req': 'MigReq',
  'pad-count': 'PadCnt',
  tver: 'TVer',
  fecn: 'FECN',
  'ack-req': 'AckReq',
  psn: 'PSN',
  'reserved-bits': 'reserved bits of the BTH',
  becn: 'BECN',
  pkey: 'P_Key',
  'dest-qp': 'destination QP',
  ecn: 'ECN',
};

/** The value of a part as tools show it. */
function valueText(part: Part, value: number | undefined): string {
  if (value === undefined) return '?';
  if (part === 'ecn') return value.toString(2).padStart(2, '0');
  if (part === 'pkey') return `0x${value.toString(16).padStart(4, '0')}`;
  return part === 'dest-qp' ? `0x${value.toString(16).padStart(6, '0')}` : String(value);
}

const partEntries = Object.entries(parts) as [Part, (cnp: Packet) => number][];

/**
 * What is wrong with a CNP that the device sent. `marked`: packets of which it may tell, oldest first; `flow`: what they are
 * packets of. Of a CNP seen in the middle of its path only what does not change there is judged.
 */
export function cnpFaults(
  context: CongestionContext,
  cnp: Packet,
  marked: readonly MarkedPacket[],
  flow: Flow | undefined,
): CnpFault[] {
  const { machine, none } = context;
  const found: CnpFault[] = [];
  const captured = context.header.sight.packets === 'mid-path';
  // one for all parts: captures may hold very many CNPs
  const field = { value: 0 };
  const inputs: Inputs & { cnpPart: Part } = { ...inputsOf(cnp, marked, flow), cnpPart: 'body', field };
  for (const [part, value] of partEntries) {
    inputs.cnpPart = part;
    field.value = value(cnp);
    if (captured && machine.flag('changesOnWay')(inputs, none)) continue;
    for (const rule of context.ask('cnp-format', inputs)) {
      const held = machine.holds('mustCnpHold')(rule.outcomes[0] ?? {}, inputs, none);
      if (held === undefined) continue;
      context.ledger.exercise([rule]);
      if (!held) found.push({ rule, ...difference(ruleWord(rule, 'mustCnpHold') ?? '', inputs, marked[0]) });
    }
  }
  return found;
}

/** Judges a CNP in a capture, where it is unknown which packet it reports. */
export function judgeCaptured(context: CongestionContext, cnp: Packet, { event, t }: When): void {
  // the QP that it names is one of the other end
  const qp = `sender to ${qpName(cnp.destQp)} at ${cnp.srcIp}`;
  for (const { rule, expected, observed } of cnpFaults(context, cnp, [], undefined))
    context.violate(rule, { event, t, qp }, expected, observed);
}

/** Whether a CNP has the P_Key of what it tells of, or of the QP that this was for, if only in the bit of membership another. */
function answersPkey(cnp: Packet, marked: Packet, flow: Flow | undefined): boolean {
  if (cnp.pkey === marked.pkey) return true;
  if (flow === undefined || !samePkey(cnp.pkey, marked.pkey)) return false;
  return flow.qp.anyPartition || cnp.pkey === flow.qp.pkey;
}

function inputsOf(cnp: Packet, marked: readonly MarkedPacket[], flow: Flow | undefined) {
  const whole = cnp.payload.length >= cnp.payloadLength;
  const certain = marked.length > 0 && marked.every(({ sound }) => sound);
  return {
    packet: packetInputs(cnp),
    arrival: { ...toNobody, icrc: cnp.icrcOk },
    flow: { marks: 0, qp: flow?.peerNumber ?? -1 },
    marked: {
      // any of several packets may be the one
      ...(certain && { samePkey: marked.some(({ packet }) => answersPkey(cnp, packet, flow)) }),
      ...(marked[0] && { srcIp: marked[0].packet.srcIp, dstIp: marked[0].packet.dstIp }),
    },
    body: {
      length: cnp.payloadLength,
      zero: whole ? cnp.payload.every((byte) => byte === 0) : undefined,
    },
  };
}

/** What a word demands of a number, for a person. */
const demanded: Readonly<Record<string, string>> = {
  zero: '0',
  one: '1',
  'not-ce': 'other than 11',
  ect: '01 or 10',
};

/** What was demanded and what was seen, for a person. */
function difference(
  word: string,
  { packet: cnp, cnpPart: part, field: { value }, flow, body }: Inputs,
  oldest: MarkedPacket | undefined,
): Omit<CnpFault, 'rule'> {
  const packet = oldest?.packet;
  switch (word) {
    case 'right':
      return { expected: 'the ICRC of its bytes', observed: 'another ICRC' };
    case 'reserved': {
      const observed = `${body.length} bytes${body.zero === true ? '' : ', not all zero'}`;
      return { expected: '16 zero bytes', observed };
    }
    case 'swapped':
      return {
        expected: `from ${packet?.dstIp} to ${packet?.srcIp}`,
        observed: `from ${cnp.srcIp} to ${cnp.dstIp}`,
      };
    default: {
      const wanted = demanded[word] ?? valueText(part, word === 'as-marked' ? packet?.pkey : flow.qp);
      const name = partNames[part] ?? part;
      return { expected: `${name} ${wanted}`, observed: `${name} ${valueText(part, value)}` };
    }
  }
}
