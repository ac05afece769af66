import type { Packet } from '../../wire/packet.ts';
import { qpName } from '../device/qp.ts';
import type { Rule } from '../rules.ts';
import type { When } from '../spot.ts';
import { packetInputs, toNobody } from './arrival.ts';
import type { CongestionContext } from './context.ts';
import { ruleWord } from './context.ts';

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

/** Parts of a CNP that hold a number or a bit, as the vocabulary names them, and their values. */
const numbers: Readonly<Record<string, (cnp: Packet) => number>> = {
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
};
/** Words that machine.yaml gives no condition: what they ask for may be in any of several packets. */
const builtInWords: Readonly<
  Record<string, (cnp: Packet, marked: readonly MarkedPacket[]) => Difference | 'unknown' | undefined>
> = { 'as-marked': asMarked, swapped };
const onTheWay: ReadonlySet<string> = new Set(['ecn', 'icrc', 'addresses']);
const fields = [...Object.keys(numbers), 'addresses', 'body', 'icrc'];

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
  const found: CnpFault[] = [];
  const captured = context.header.sight.packets === 'mid-path';
  for (const cnpField of fields) {
    if (captured && onTheWay.has(cnpField)) continue;
    for (const rule of context.ask('cnp-format', {}, context.none, { cnpField })) {
      const builtIn = builtInWords[ruleWord(rule, 'mustCnpHold') ?? ''];
      const difference =
        builtIn === undefined ? differs(context, rule, cnpField, { cnp, flow }) : builtIn(cnp, marked);
      if (difference === 'unknown') continue;
      context.ledger.exercise([rule]);
      if (difference !== undefined) found.push({ rule, ...difference });
    }
  }
  return found;
}

/** Judges a CNP in a capture, where nobody knows what it tells of. */
export function judgeCaptured(context: CongestionContext, cnp: Packet, { event, t }: When): void {
  for (const { rule, expected, observed } of cnpFaults(context, cnp, [], undefined))
    context.violate(rule, { event, t, qp: qpName(cnp.destQp) }, expected, observed);
}

type Flow = { address: string; peerNumber: number };
type Difference = { expected: string; observed: string };

/** What a word demands, for a person; words that are built in have texts of their own. */
const demanded: Readonly<Record<string, string>> = {
  zero: '0',
  one: '1',
  'not-ce': 'other than 11',
  ect: '01 or 10',
};

/** By the condition that the machine gives the word. */
function differs(
  context: CongestionContext,
  rule: Rule,
  field: string,
  { cnp, flow }: { cnp: Packet; flow: Flow | undefined },
): Difference | 'unknown' | undefined {
  const value = numbers[field]?.(cnp) ?? 0;
  const whole = cnp.payload.length >= cnp.payloadLength;
  const zero = whole ? cnp.payload.every((byte) => byte === 0) : undefined;
  const inputs = {
    packet: packetInputs(cnp),
    arrival: { ...toNobody, icrc: cnp.icrcOk },
    field: { value },
    flow: { marks: 0, qp: flow?.peerNumber ?? -1 },
    body: { length: cnp.payloadLength, zero },
  };
  const held = context.machine.holds('mustCnpHold')(rule.outcomes[0] ?? {}, inputs, context.none);
  if (held !== false) return held === true ? undefined : 'unknown';
  const word = ruleWord(rule, 'mustCnpHold') ?? '';
  if (word === 'right') return { expected: 'the ICRC of its bytes', observed: 'another ICRC' };
  if (word === 'reserved') {
    const observed = `${cnp.payloadLength} bytes${zero === true ? '' : ', not all zero'}`;
    return { expected: '16 zero bytes', observed };
  }
  const wanted = demanded[word] ?? String(flow?.peerNumber);
  return { expected: `${field} ${wanted}`, observed: `${field} ${value}` };
}

/** P_Key of a marked packet: any of several packets may be the one. Of a packet of another partition the QP's own may be taken. */
function asMarked(cnp: Packet, marked: readonly MarkedPacket[]): Difference | 'unknown' | undefined {
  if (marked.length === 0 || marked.some(({ sound }) => !sound)) return 'unknown';
  if (marked.some(({ packet }) => cnp.pkey === packet.pkey)) return undefined;
  return { expected: `pkey ${marked[0]?.packet.pkey}`, observed: `pkey ${cnp.pkey}` };
}

/** Addresses of the marked packets, the other way round. */
function swapped(cnp: Packet, [first]: readonly MarkedPacket[]): Difference | 'unknown' | undefined {
  if (first === undefined) return 'unknown';
  const { srcIp, dstIp } = first.packet;
  if (cnp.dstIp === srcIp && cnp.srcIp === dstIp) return undefined;
  return { expected: `from ${dstIp} to ${srcIp}`, observed: `from ${cnp.srcIp} to ${cnp.dstIp}` };
}
