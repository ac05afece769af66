import type { Packet } from '../../wire/packet.ts';
import type { Rule } from '../rules.ts';
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
  flow: { address: string; peerNumber: number } | undefined,
): CnpFault[] {
  const found: CnpFault[] = [];
  const captured = context.header.sight.packets === 'mid-path';
  for (const cnpField of fields) {
    if (captured && onTheWay.has(cnpField)) continue;
    for (const rule of context.ask('cnp-format', { cnpField })) {
      const difference = differs(ruleWord(rule, 'mustCnpHold'), cnpField, cnp, { marked, flow });
      if (difference === 'unknown') continue;
      context.ledger.exercise([rule]);
      if (difference !== undefined) found.push({ rule, ...difference });
    }
  }
  return found;
}

type Against = { marked: readonly MarkedPacket[]; flow: { address: string; peerNumber: number } | undefined };
type Difference = { expected: string; observed: string };

function differs(
  word: string | undefined,
  field: string,
  cnp: Packet,
  { marked, flow }: Against,
): Difference | 'unknown' | undefined {
  const value = numbers[field]?.(cnp) ?? 0;
  const unless = (ok: boolean, wanted: string): Difference | undefined =>
    ok ? undefined : { expected: `${field} ${wanted}`, observed: `${field} ${value}` };
  switch (word) {
    case 'zero':
      return unless(value === 0, '0');
    case 'one':
      return unless(value === 1, '1');
    case 'as-marked':
      // of a packet of another partition, which a device may tell of as well, the QP's own may be taken
      if (marked.length === 0 || marked.some(({ sound }) => !sound)) return 'unknown';
      return unless(
        marked.some(({ packet }) => value === packet.pkey),
        `${marked[0]?.packet.pkey}`,
      );
    case 'flow':
      return flow === undefined ? 'unknown' : unless(value === flow.peerNumber, `${flow.peerNumber}`);
    case 'not-ce':
      return unless(value !== 3, 'other than 11');
    case 'ect':
      return unless(value === 1 || value === 2, '01 or 10');
    case 'swapped': {
      const packet = marked[0]?.packet;
      if (packet === undefined) return 'unknown';
      if (cnp.dstIp === packet.srcIp && cnp.srcIp === packet.dstIp) return undefined;
      return {
        expected: `from ${packet.dstIp} to ${packet.srcIp}`,
        observed: `from ${cnp.srcIp} to ${cnp.dstIp}`,
      };
    }
    case 'reserved': {
      if (cnp.payload.length < cnp.payloadLength) return 'unknown';
      const zero = cnp.payload.every((byte) => byte === 0);
      if (zero && cnp.payloadLength === 16) return undefined;
      return {
        expected: '16 zero bytes',
        observed: `${cnp.payloadLength} bytes${zero ? '' : ', not all zero'}`,
      };
    }
    case 'right':
      return cnp.icrcOk ? undefined : { expected: 'the ICRC of its bytes', observed: 'another ICRC' };
    case undefined:
    default:
      return undefined;
  }
}
