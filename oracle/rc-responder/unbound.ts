import type { RecvWr } from '../../spec/verbs.ts';

/** Payload of a SEND, and where in its receive WQE it begins. */
interface Placed {
  readonly at: number;
  readonly payload: Uint8Array;
}

/**
 * A receive WQE that a QP took from an SRQ on which others are as well: only its completion tells which of them it was, and where the
 * payload has gone that came until then.
 */
export class Unbound {
  readonly placed: readonly Placed[];
  /** the one that it most likely is: the SRQ gives them out in their order; absent where that is none */
  readonly likely: RecvWr | undefined;

  constructor(likely: RecvWr | undefined, placed: readonly Placed[] = []) {
    this.likely = likely;
    this.placed = placed;
  }

  /** With a further payload. */
  with(at: number, payload: Uint8Array): Unbound {
    return new Unbound(this.likely, [...this.placed, { at, payload }]);
  }
}

/** A receive WQE that a QP has taken. */
export type Wqe = RecvWr | Unbound;

export function wqeText(wqe: Wqe): string {
  return wqe instanceof Unbound ? 'a WQE of the SRQ' : `wr_id ${wqe.wr_id}`;
}

/** The same in a sentence about its completion. */
export function receiveText(wqe: Wqe): string {
  return wqe instanceof Unbound ? 'a receive WQE of the SRQ' : `receive wr_id ${wqe.wr_id}`;
}
