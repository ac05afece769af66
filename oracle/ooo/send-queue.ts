import type { Packet } from '../../wire/packet.ts';
import { answerOf } from '../device/answer.ts';
import { spansOf } from './memory.ts';
import { RetryCounters } from './counters.ts';
import { causeOf, Counter, isOutOfOrder } from './packet.ts';
import { admissionFacts } from './qp.ts';
import type { Qp } from '../device/qp.ts';
import { Recovery } from './recovery.ts';
import type { Refusal } from './recovery.ts';
import { sentWork } from './work.ts';
import type { SendCounts, SentWork } from './work.ts';
import type { PostedSend } from '../device/posted-send.ts';
import type { OooDevice } from './context.ts';

/** What a response did. `strange`: it fits nothing that was asked for, and what a device makes of it is not decided. */
export type Intake = 'nothing' | 'news' | 'failure' | 'strange';

/** The send queue of an out-of-order QP: what is posted, what is acknowledged, what is answered. */
export class Sender {
  readonly qp: Qp;
  readonly device: OooDevice;
  psns = new Counter(0);
  recovery = new Recovery();
  works: SentWork[] = [];
  counts: SendCounts = { psn: 0, msn: 0, receives: 0, reads: 0 };
  /** messages that the other end has counted */
  msn = 0;
  counters: RetryCounters;
  /** a NAK has refused this packet for good */
  refusal: { psn: number; kind: string } | undefined;
  readonly #grace: number;

  /** `grace`: nanoseconds after which a device has looked at a response. */
  constructor(qp: Qp, device: OooDevice, grace: number) {
    this.qp = qp;
    this.device = device;
    this.#grace = grace;
    this.counters = new RetryCounters(grace, device.limits);
  }

  /** The QP begins anew with this PSN. */
  start(psn: number): void {
    this.psns = new Counter(psn);
    this.recovery = new Recovery();
    this.works = [];
    this.counts = { psn: 0, msn: 0, receives: 0, reads: 0 };
    this.msn = 0;
    this.counters = new RetryCounters(this.#grace, this.device.limits);
    this.refusal = undefined;
  }

  post(send: PostedSend): SentWork {
    const work = sentWork(this.qp, send, this.counts);
    this.works.push(work);
    return work;
  }

  /** Work request of a counted PSN. */
  find(psn: number): SentWork | undefined {
    return this.works.findLast(({ first, count }) => psn >= first && psn < first + count);
  }

  isFetch({ kind }: SentWork): boolean {
    return kind === 'read' || kind === 'atomic';
  }

  /** Whether the packet was sent and is neither acknowledged nor, of a READ or ATOMIC, answered. */
  open(psn: number, work: SentWork): boolean {
    const { una, next, selected } = this.recovery;
    if (psn >= next) return false;
    if (this.isFetch(work)) return !work.answered;
    return psn >= una && !selected.has(psn);
  }

  /** Counted PSNs of the packets that are open, oldest first. */
  *allOpen(): Generator<number> {
    for (const work of this.works)
      for (let psn = work.first; psn < work.first + work.count; psn++) if (this.open(psn, work)) yield psn;
  }

  /**
   * Whether everything sent is acknowledged, some of it selectively only, and a work request still waits to be told so: its
   * last Acknowledge is late or lost, and what is sent again calls for another.
   */
  waits(work: SentWork): boolean {
    if (this.retired(work, 'both') || work.first >= this.recovery.next) return false;
    return this.allOpen().next().done === true;
  }

  get inFlight(): number {
    return [...this.allOpen()].length;
  }

  acknowledged(work: SentWork): boolean {
    return work.first + work.count <= this.recovery.una;
  }

  /** Whether everything that a work request waits for has come; `enough`: either of PSN and MSN says so. */
  retired(work: SentWork, enough: 'both' | 'either'): boolean {
    if (this.isFetch(work) && !work.answered) return false;
    const byMsn = this.msn >= work.msn;
    return enough === 'both' ? byMsn && this.acknowledged(work) : byMsn || this.acknowledged(work);
  }

  /** The work request that is refused for good, where all in front of it are through. */
  get doomed(): SentWork | undefined {
    if (this.refusal === undefined) return undefined;
    const oldest = this.works.find((work) => !this.retired(work, 'both'));
    return oldest !== undefined && this.find(this.refusal.psn) === oldest ? oldest : undefined;
  }

  /** Leaves behind what nothing more can be said of. */
  forget(): void {
    for (let work = this.works[0]; work !== undefined; work = this.works[0]) {
      if (!this.retired(work, 'both') || (work.signaled && !work.completed) || this.works.length < 256)
        return;
      this.works.shift();
    }
  }

  /** A response that reached the QP at `t`. */
  take(packet: Packet, t: number): Intake {
    const admission = admissionFacts(this.qp, packet);
    const sound =
      admission['icrc'] === 'good' &&
      admission['transportVersion'] === 'zero' &&
      admission['source'] === 'peer' &&
      admission['pkey'] === 'match';
    if (!sound || !isOutOfOrder(packet) || this.doomed !== undefined) return 'nothing';
    const { recovery } = this;
    const psn = this.psns.near(packet.psn, recovery.una);
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
    const { recovery, counters } = this;
    const { refused } = recovery;
    const acknowledged = recovery.acknowledge(psn - 1, t);
    const told = this.#told(this.#count(packet) || acknowledged ? 'news' : 'nothing', t);
    if (psn < recovery.una) return told;
    const waiting = refused !== undefined && t <= refused.latest + this.#grace;
    counters.refused(waiting);
    const spent = counters.refusals(t, this.qp.rnrRetry);
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
    this.refusal ??= { psn, kind };
    return this.refusal.psn === psn && this.refusal.kind === kind ? 'failure' : 'strange';
  }

  #told(intake: 'news' | 'nothing' | 'strange', t: number): 'news' | 'nothing' | 'strange' {
    if (intake === 'news') this.counters.news(t);
    return intake;
  }

  #count({ aeth }: Packet): boolean {
    if (aeth === undefined) return false;
    const msn = this.msn + (((aeth.msn - (this.msn & 0xffffff)) << 8) >> 8);
    if (msn <= this.msn || msn > this.counts.msn) return false;
    this.msn = msn;
    return true;
  }

  #acknowledge(packet: Packet, psn: number, t: number): 'news' | 'nothing' {
    const { recovery } = this;
    const through = recovery.acknowledge(psn, t);
    const cause = causeOf(packet);
    const selected =
      cause?.selective === true && recovery.select(this.psns.near(cause.trigger, recovery.una));
    const counted = this.#count(packet);
    return through || selected || counted ? 'news' : 'nothing';
  }

  #answer(packet: Packet, psn: number, t: number): 'news' | 'nothing' | 'strange' {
    const work = this.find(psn);
    const { ooeth, payload } = packet;
    const atomic = packet.info?.operation === 'ATOMIC_ACKNOWLEDGE';
    if (work === undefined || work.kind !== (atomic ? 'atomic' : 'read')) return 'strange';
    const offset = atomic ? 0 : (ooeth?.offset ?? 0);
    const data = atomic ? original(packet) : payload;
    if (ooeth?.readWqeSn !== (work.readNumber & 0xffffff) || offset + data.length > work.length)
      return 'strange';
    const news = this.recovery.acknowledge(psn, t);
    const counted = this.#count(packet);
    const placed = this.#place(work, offset, data);
    return news || counted || placed ? 'news' : 'nothing';
  }

  /** READs and ATOMICs that have not completed do so no more. */
  abandon(): void {
    const { memory } = this.qp;
    const { placements } = this.device;
    for (const work of this.works)
      if (this.isFetch(work) && !work.completed)
        placements.mark(spansOf(memory, work.wr.sg_list, 0, work.length), 'unfinished');
  }

  /** Data are placed once; true if some of them are new. */
  #place(work: SentWork, offset: number, data: Uint8Array): boolean {
    const { qp, device } = this;
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
