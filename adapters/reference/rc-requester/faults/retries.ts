import { psnAdd, psnDiff } from '../../../../wire/index.ts';
import type { Core } from '../../device/core.ts';
import type { QueuePair } from '../../device/qp.ts';
import { migrate } from '../../path-migration/migration.ts';
import { faultsAt } from '../../seam.ts';
import { impliedNak } from '../implied-nak.ts';
import { reloadRetries, reloadRnrRetries } from '../progress.ts';
import { countRetry, goBack, isExhausted, restartOf, takeAlternatePath, type Cause } from '../retry.ts';
import { sendRequest } from '../send.ts';
import type { RequesterState } from '../state.ts';

type Counting = (core: Core, qp: QueuePair, cause: Cause) => void;

/** Retries of one cause are not counted. */
const notCounting =
  (free: Cause) =>
  (sound: Counting, core: Core, qp: QueuePair, cause: Cause): void => {
    if (cause !== free) sound(core, qp, cause);
  };

/** requesters that send only one more packet again */
const lone = new WeakSet<RequesterState>();

type Sending = typeof sendRequest.sound;

function sendOne(sound: Sending, ...[core, qp, wqe, fields, again]: Parameters<Sending>): void {
  sound(core, qp, wqe, fields, again);
  const q = qp.requester;
  if (again && lone.has(q)) q.next = q.end;
  lone.delete(q);
}

export const retryFaults = [
  faultsAt(isExhausted, {
    'one-retry-less': (_sound, _core, { requester }) => requester.retriesLeft <= 1,
    'one-retry-more': (_sound, _core, { requester }) => requester.retriesLeft < 0,
    'retry-seven-infinite': (sound, core, qp) => qp.attr.retry_cnt !== 7 && sound(core, qp),
  }),

  faultsAt(countRetry, {
    'timeout-not-counted': notCounting('timeout'),
    'sequence-nak-not-counted': notCounting('sequence-nak'),
    'implied-nak-not-counted': notCounting('implied-nak'),
    'timeout-consumes-rnr-retries': (sound, core, qp, cause) => {
      sound(core, qp, cause);
      const q = qp.requester;
      if (cause === 'timeout') q.rnrLeft = Math.max(0, q.rnrLeft - 1);
    },
  }),

  faultsAt(takeAlternatePath, {
    'migration-counter-not-reloaded': (_sound, core, qp) => migrate(core, qp),
  }),

  faultsAt(reloadRetries, { 'retry-counter-never-reloaded': () => undefined }),

  faultsAt(reloadRnrRetries, { 'rnr-counter-never-reloaded': () => undefined }),

  faultsAt(restartOf, {
    'timeout-resends-newest': (sound, core, qp, psn, cause) => {
      const next = sound(core, qp, psn, cause);
      const newest = qp.requester.queue.findLast((wqe) => wqe.launched);
      return cause === 'timeout' ? (newest?.psn ?? next) : next;
    },
    'retry-skips-one': (sound, core, qp, psn, cause) => {
      const next = sound(core, qp, psn, cause);
      return psnDiff(qp.requester.end, next) > 1 ? psnAdd(next, 1) : next;
    },
  }),

  faultsAt(goBack, {
    'retry-first-only': (sound, core, qp, psn, cause) => {
      sound(core, qp, psn, cause);
      lone.add(qp.requester);
    },
    'implied-nak-retries-one-request': (sound, core, qp, psn, cause) => {
      sound(core, qp, psn, cause);
      if (cause === 'implied-nak') lone.add(qp.requester);
      else lone.delete(qp.requester);
    },
  }),

  faultsAt(sendRequest, {
    'retry-first-only': sendOne,
    'implied-nak-retries-one-request': sendOne,
  }),

  faultsAt(impliedNak, {
    'implied-nak-ignored': (_sound, _core, qp, psn) => {
      qp.requester.gapPsn = psn;
    },
  }),
];
