import type { Packet } from '../../../wire/packet.ts';
import { answerOf } from '../../device/answer.ts';
import { spansOf } from '../memory.ts';
import { causeOf, isOutOfOrder } from '../packet.ts';
import { admissionFacts } from '../qp.ts';
import type { Refusal } from './recovery.ts';
import type { Sender } from './send-queue.ts';
import type { SentWork } from './work.ts';

/** What a response did. `strange`: it fits nothing that was asked for, and what a device makes of it is not decided. */
export type Intake = 'nothing' | 'news' | 'failure' | 'strange';

/** What responses do to a send queue. */
export class Responses {
  readonly #sender: Sender;
  /** nanoseconds after which a device has looked at a response */
  readonly #grace: number;

  constructor(sender: Sender, grace: number) {
    this.#sender = sender;
    this.#grace = grace;
  }

  /** A response that reached the QP at `t`. */
  take(packet: Packet, t: number): Intake {
    const admission = admissionFacts(this.#sender.qp, packet);
    const sound =
      admission['icrc'] === 'good' &&
      admission['transportVersion'] === 'zero' &&
      admission['source'] === 'peer' &&
      admission['pkey'] === 'match';
    if (!sound || !isOutOfOrder(packet) || this.#sender.doomed !== undefined) return 'nothing';
    const { recovery } = this.#sender;
    const psn = this.#sender.psns.near(packet.psn, recovery.una);
    if (psn >= recovery.next) return 'strange';
    const { kind, wait } = answerOf(packet);
    switch (kind) {
      case 'ack':
        return this.#told(this.#acknowledge(packet, psn, t), t);
      case 'rnr-nak':
        return this.#notReady(packet, psn, wait, t);
      case 'invalid-request':
      case 'remote-access-error':
      case 'remote-operational-error':
        if (psn < recovery.una) return 'nothing';
        recovery.acknowledge(psn - 1, t);
        this.#count(packet);
        return this.#refuse(psn, kind);
      case 'read-response':
      case 'atomic-ack':
        return this.#told(this.#answer(packet, psn, t), t);
      case 'sequence-nak':
      case 'reserved':
      case 'other':
        return 'strange';
    }
  }

  /** An RNR NAK: what is in front of its PSN has arrived, the rest is to be sent again after a while. */
  #notReady(packet: Packet, psn: number, wait: number, t: number): Intake {
    const { recovery, counters } = this.#sender;
    const { refused } = recovery;
    const acknowledged = recovery.acknowledge(psn - 1, t);
    const told = this.#told(this.#count(packet) || acknowledged ? 'news' : 'nothing', t);
    if (psn < recovery.una) return told;
    const waiting = refused !== undefined && t <= refused.latest + this.#grace;
    counters.refused(waiting);
    const spent = counters.refusals(t, this.#sender.qp.rnrRetry);
    if (spent === 'yes') return this.#refuse(psn, 'rnr-retries');
    const until = Math.min(t + wait, refused !== undefined && t < refused.until ? refused.until : Infinity);
    const latest = Math.max(t + wait, waiting ? refused.latest : 0);
    const timerFrom = spent !== 'no' ? 0 : waiting ? Math.min(until, refused.timerFrom) : until;
    const next: Refusal = {
      from: psn,
      end: recovery.next,
      came: t,
      until,
      latest,
      timerFrom,
      resent: new Set(),
    };
    recovery.refuse(next, refused, t);
    return told;
  }

  /** The packet is refused for good; what a device makes of two refusals that differ is not decided. */
  #refuse(psn: number, kind: string): 'failure' | 'strange' {
    this.#sender.refusal ??= { psn, kind };
    return this.#sender.refusal.psn === psn && this.#sender.refusal.kind === kind ? 'failure' : 'strange';
  }

  #told(intake: 'news' | 'nothing' | 'strange', t: number): 'news' | 'nothing' | 'strange' {
    if (intake === 'news') this.#sender.counters.news(t);
    return intake;
  }

  #count({ aeth }: Packet): boolean {
    if (aeth === undefined) return false;
    const msn = this.#sender.msn + (((aeth.msn - (this.#sender.msn & 0xffffff)) << 8) >> 8);
    if (msn <= this.#sender.msn || msn > this.#sender.counts.msn) return false;
    this.#sender.msn = msn;
    return true;
  }

  #acknowledge(packet: Packet, psn: number, t: number): 'news' | 'nothing' {
    const { recovery } = this.#sender;
    const through = recovery.acknowledge(psn, t);
    const cause = causeOf(packet);
    const selected =
      cause?.selective === true && recovery.select(this.#sender.psns.near(cause.trigger, recovery.una));
    const counted = this.#count(packet);
    return through || selected || counted ? 'news' : 'nothing';
  }

  #answer(packet: Packet, psn: number, t: number): 'news' | 'nothing' | 'strange' {
    const work = this.#sender.find(psn);
    const { ooeth, payload } = packet;
    const atomic = packet.info?.operation === 'ATOMIC_ACKNOWLEDGE';
    if (work === undefined || work.kind !== (atomic ? 'atomic' : 'read')) return 'strange';
    const offset = atomic ? 0 : (ooeth?.offset ?? 0);
    const data = atomic ? original(packet) : payload;
    if (ooeth?.readWqeSn !== (work.readNumber & 0xffffff) || offset + data.length > work.length)
      return 'strange';
    const news = this.#sender.recovery.acknowledge(psn, t);
    const counted = this.#count(packet);
    const placed = this.#place(work, offset, data);
    return news || counted || placed ? 'news' : 'nothing';
  }

  /** Data are placed once; true if some of them are new. */
  #place(work: SentWork, offset: number, data: Uint8Array): boolean {
    const { qp, device } = this.#sender;
    let news = data.length === 0 && !work.answered;
    for (let i = 0; i < data.length; i++) {
      if (work.got[offset + i] === 1) continue;
      work.got[offset + i] = 1;
      news = true;
      const spans = spansOf(qp.memory, work.wr.sg_list, offset + i, 1);
      device.placements.place(spans, data.subarray(i, i + 1), Infinity, 'fetched');
    }
    work.answered = work.got.every((byte) => byte === 1);
    return news;
  }
}

/** The value of an ATOMIC Acknowledge as it stands in the memory of a little-endian host. */
function original({ atomicOriginal = 0n }: Packet): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(atomicOriginal);
  return bytes;
}
