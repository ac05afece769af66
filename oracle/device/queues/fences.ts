import type { Qp } from '../qp.ts';
import { workKind } from './posted-send.ts';
import type { SendWr } from '../../../spec/verbs.ts';

/** READs and ATOMICs of RC QPs that are surely unanswered, as far as packets at the device and calls tell. */
export class Fences {
  readonly #open = new WeakSet<Qp>();

  posted(qp: Qp, wr: SendWr): void {
    const kind = workKind(wr);
    if (qp.atDevice && qp.kind === 'RC' && (kind === 'read' || kind === 'atomic')) this.#open.add(qp);
  }

  /** A response has come to the QP, whatever it answers. */
  answered(qp: Qp): void {
    this.#open.delete(qp);
  }

  /** Software has changed the QP. */
  modified(qp: Qp): void {
    this.#open.delete(qp);
  }

  /** Whether a fenced work request that is posted now has to wait. */
  hold(qp: Qp): boolean {
    return this.#open.has(qp);
  }
}
