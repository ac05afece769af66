import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { sendNak } from './reply.ts';

const patience = 8000;

/** The mutant that takes a pause within a message for a loss and says so, though nothing has come that would tell. */
export function guessTailLoss(core: Core, qp: QueuePair): void {
  if (core.fault !== 'tail-loss-guessed') return;
  const { epsn } = qp.responder;
  core.clock.setTimer(patience, () => {
    const r = qp.responder;
    if (r.message !== undefined && r.epsn === epsn) sendNak(core, qp, 'psn-sequence-error', epsn);
  });
}
