import { requestShape } from '../../device/packet/opcode-shape.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import { psnAdd, psnDiff } from '../../../wire/psn.ts';
import { isPositive } from './positive.ts';

interface Span {
  readonly from: number;
  readonly behind: number;
}

/** READs and ATOMICs that are looked at; beyond it nothing is known any more. */
const most = 1024;

/** What the responses of a connection have acknowledged, where all of them are seen. */
export class Acknowledged {
  /** first PSN that is not acknowledged; -1: not known */
  una = -1;
  /** PSN of the first request since nothing was known; -1: none */
  from = -1;
  /** READs and ATOMICs that are not answered to the end */
  #open: Span[] = [];

  /** A request seen for the first time. */
  sent(psn: number, behind: number, opcode: number): void {
    if (this.from < 0) this.from = psn;
    const { family } = requestShape(opcode);
    if (family === 'read' || family === 'atomic') this.#open.push({ from: psn, behind });
    if (this.#open.length > most) this.restart();
  }

  /** Gives whether it acknowledges something new, and whether it passes over an answer that is missing. */
  reply(seen: ObservedReply): { progress: boolean; gap: boolean } {
    const data = seen.kind === 'read-response' || seen.kind === 'read-middle' || seen.kind === 'atomic-ack';
    const through = isPositive(seen) ? psnAdd(seen.psn, 1) : seen.psn;
    // what it answers came before all that is known
    if (this.una < 0 && psnDiff(through, this.from) < 0) return { progress: false, gap: false };
    const first = this.#open.find(({ behind }) => this.una < 0 || psnDiff(behind, this.una) > 0);
    let reached = through;
    if (first !== undefined) {
      const from = this.una >= 0 && psnDiff(this.una, first.from) > 0 ? this.una : first.from;
      const answers = data && seen.psn === from;
      if (!answers && psnDiff(through, from) > 0) reached = from;
    }
    const gap = reached !== through;
    const progress = this.una < 0 || psnDiff(reached, this.una) > 0;
    if (progress) this.una = reached;
    this.#open = this.#open.filter(({ behind }) => psnDiff(behind, this.una) > 0);
    return { progress, gap };
  }

  restart(): void {
    this.una = -1;
    this.from = -1;
    this.#open = [];
  }
}
