import { psnAdd, psnDiff, psnMask } from '../../../wire/psn.ts';
import type { PostedSend } from '../../device/queues/posted-send.ts';
import type { Qp } from '../../device/qp.ts';
import type { OooDevice } from '../device.ts';
import { spansOf } from '../memory.ts';
import { OooRegisters } from '../registers.ts';
import { SentPackets } from './packets.ts';
import { SentWork } from './work.ts';

/** Work requests that are kept at least. */
const mostKept = 256;

/** The send queue of an out-of-order QP: what is posted, what is acknowledged, what is answered. */
export class Sender {
  readonly qp: Qp;
  readonly device: OooDevice;
  readonly registers: OooRegisters;
  packets: SentPackets;
  works: SentWork[] = [];

  constructor(qp: Qp, device: OooDevice) {
    this.qp = qp;
    this.device = device;
    this.registers = new OooRegisters(device.rules);
    this.packets = new SentPackets(this.registers, device.grace);
  }

  /** The QP begins anew with this PSN. */
  start(psn: number): void {
    this.registers.do('sends', { call: { psn } });
    this.packets = new SentPackets(this.registers, this.device.grace);
    this.works = [];
  }

  post(send: PostedSend): SentWork {
    const work = new SentWork(this, send);
    this.works.push(work);
    this.registers.do('posted', { work });
    return work;
  }

  /** Whether a packet of what is kept has been sent. */
  get sentAny(): boolean {
    return this.works.some(({ psn }) => psnDiff(psn, this.registers.end) < 0);
  }

  /** Work request of a PSN. */
  find(psn: number): SentWork | undefined {
    return this.works.findLast((work) => ((psn - work.psn) & psnMask) < work.packets);
  }

  /** Whether the packet was sent and is neither acknowledged nor, of a READ or ATOMIC, answered. */
  open(psn: number, work: SentWork): boolean {
    const { una, end } = this.registers;
    if (psnDiff(psn, end) >= 0) return false;
    if (work.fetches) return !work.answered;
    return psnDiff(psn, una) >= 0 && !this.packets.selected.has(psn);
  }

  /** PSNs of the packets that are open, oldest first. */
  *allOpen(): Generator<number> {
    const { end } = this.registers;
    for (const work of this.works)
      for (let n = 0, { psn } = work; n < work.packets && psn !== end; n++, psn = psnAdd(psn, 1))
        if (this.open(psn, work)) yield psn;
  }

  /**
   * Whether everything sent is acknowledged, some of it selectively only, and a work request still waits to be retired: its
   * last Acknowledge is late or lost, and what is sent again calls for another.
   */
  waits(work: SentWork): boolean {
    if (work.retired || psnDiff(work.psn, this.registers.end) >= 0) return false;
    return this.allOpen().next().done === true;
  }

  /** The work request that is refused for good, where all in front of it are through. */
  get doomed(): SentWork | undefined {
    const { refused } = this.registers;
    if (refused < 0) return undefined;
    const oldest = this.works.find((work) => !work.retired);
    return oldest !== undefined && this.find(refused) === oldest ? oldest : undefined;
  }

  /** Leaves behind what nothing more can be said of. */
  forget(): void {
    for (let [work] = this.works; work !== undefined; [work] = this.works) {
      if (this.works.length < mostKept || !work.retired || (work.signaled && !work.completed)) return;
      this.works.shift();
    }
  }

  /** READs and ATOMICs that have not completed do so no more. */
  abandon(): void {
    const { placements } = this.device;
    for (const { fetches, completed, wr, length } of this.works)
      if (fetches && !completed)
        placements.mark(spansOf(this.qp.memory, wr.sg_list, 0, length), 'unfinished');
  }
}
