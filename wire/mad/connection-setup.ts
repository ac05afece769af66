import { u16, u24, u32 } from '../bytes.ts';
import type { Packet } from '../packet.ts';

/**
 * What one end says of its QP before an RC connection: its number, and the PSN that the other end is to begin with. `id` names the
 * attempt at the end that sends it, `answers` at the other one.
 */
export interface ConnectionSetup {
  kind: 'REQ' | 'REP';
  id: number;
  /** of a REP: the `id` of the REQ that it answers */
  answers: number | undefined;
  qp: number;
  /** PSN of the first request that this QP is to receive */
  psn: number;
}

/** The QP of the general services. */
const generalServices = 1;
/** A management datagram of the connection manager, sent and not asked for: base version, class, class version, method. */
const head = [1, 7, 2, 3];
const attributeAt = 16;
const req = { attribute: 0x10, id: 24, qp: 56, service: 67, psn: 68, end: 72 };
const rep = { attribute: 0x13, id: 24, answers: 28, qp: 36, psn: 44, end: 48 };
/** Code of RC among the transport services. */
const reliable = 0;

/**
 * Reads a REQ or REP message of the connection manager (IBTA 12.6.5 and 12.6.6); `undefined` of any other packet, of a message that is cut
 * short, and of a REQ for another service than RC.
 */
export function connectionSetup(packet: Packet): ConnectionSetup | undefined {
  // each packet of a capture is asked: what takes time to read comes last
  if (packet.destQp !== generalServices || packet.info?.service !== 'UD' || !packet.icrcOk) return undefined;
  const { payload } = packet;
  if (payload.length < rep.end) return undefined;
  if (head.some((byte, at) => payload[at] !== byte)) return undefined;
  switch (u16(payload, attributeAt)) {
    case req.attribute:
      if (payload.length < req.end || ((payload[req.service]! >> 1) & 3) !== reliable) return undefined;
      return {
        kind: 'REQ',
        id: u32(payload, req.id),
        answers: undefined,
        qp: u24(payload, req.qp),
        psn: u24(payload, req.psn),
      };
    case rep.attribute:
      return {
        kind: 'REP',
        id: u32(payload, rep.id),
        answers: u32(payload, rep.answers),
        qp: u24(payload, rep.qp),
        psn: u24(payload, rep.psn),
      };
    default:
      return undefined;
  }
}
