import { spansOf } from '../memory.ts';
import { RetryCounters } from './counters.ts';
import { Counter } from '../packet.ts';
import type { Qp } from '../../device/qp.ts';
import { Recovery } from './recovery.ts';
import { sentWork } from './work.ts';
import type { SendCounts, SentWork } from './work.ts';
import type { PostedSend } from '../../device/posted-send.ts';
import type { OooDevice } from '../device.ts';

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

  /** READs and ATOMICs that have not completed do so no more. */
  abandon(): void {
    const { memory } = this.qp;
    const { placements } = this.device;
    for (const work of this.works)
      if (this.isFetch(work) && !work.completed)
        placements.mark(spansOf(memory, work.wr.sg_list, 0, work.length), 'unfinished');
  }
}
