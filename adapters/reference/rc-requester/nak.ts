import { nakCodes } from '../../../spec/constants.ts';
import type { WcStatus } from '../../../spec/verbs.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import { failHead } from './complete.ts';
import { impliedNak } from './implied-nak.ts';
import { acknowledge, reloadRnrRetries } from './progress.ts';
import { retry } from './retry.ts';

/** What a NAK calls for: sending again, or failing with a status; `undefined`: its code is reserved. */
export type NakMeaning = 'retry' | WcStatus | undefined;

const meanings: Readonly<Record<string, NakMeaning>> = {
  'psn-sequence-error': 'retry',
  'invalid-request': 'IBV_WC_REM_INV_REQ_ERR',
  'remote-access-error': 'IBV_WC_REM_ACCESS_ERR',
  'remote-operational-error': 'IBV_WC_REM_OP_ERR',
};

export function nakMeaning(code: number): NakMeaning {
  const name = nakCodes.find((n) => n.code === code)?.name;
  return meanings[name ?? ''];
}

export const meaningOf = seam((_core: Core, code: number): NakMeaning => nakMeaning(code));

/** A NAK, which acknowledges all before its own PSN. */
export function handleNak(core: Core, qp: QueuePair, psn: number, code: number): void {
  const meaning = meaningOf(core, code);
  if (meaning === 'retry') handleSequenceNak(core, qp, psn);
  else if (meaning !== undefined) failRefused(core, qp, psn, meaning);
  else if (core.config.reservedSyndrome === 'bad-response') failAt(core, qp, psn, 'IBV_WC_BAD_RESP_ERR');
}

/** The responder refused the request at `psn`. */
export const failRefused = seam((core: Core, qp: QueuePair, psn: number, status: WcStatus): void => {
  failAt(core, qp, psn, status);
});

function failAt(core: Core, qp: QueuePair, psn: number, status: WcStatus): void {
  if (!acknowledge(core, qp, psn)) impliedNak(core, qp, psn);
  else failHead(core, qp, status);
}

/** The responder misses the request at `psn`. */
export const handleSequenceNak = seam((core: Core, qp: QueuePair, psn: number): void => {
  const complete = acknowledge(core, qp, psn, 'sequence-nak');
  if (core.config.sequenceNakReloadsRnr === 'always') reloadRnrRetries(core, qp);
  retry(core, qp, complete ? psn : qp.requester.una, 'sequence-nak');
});
