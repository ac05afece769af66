import { psnAdd, psnDiff } from '../../../../wire/index.ts';
import { called, schedule } from '../../device/pump.ts';
import { canMigrate, migrate } from '../../path-migration/migration.ts';
import { faultsAt } from '../../seam.ts';
import { handleSequenceNak } from '../nak.ts';
import {
  endOfRnrWait,
  minimalWait,
  resumeAt,
  rnrExhausted,
  rnrUnlimited,
  rnrWait,
  spendRnrRetry,
  waitForReceiver,
  waitsSince,
} from '../rnr.ts';
import { newestSentAt, repeatNewest } from './memory.ts';

/** Nanoseconds behind a wait until a request is sent once more. */
const later = 50_000;

export const rnrFaults = [
  faultsAt(called, {
    'posting-ends-rnr-wait': (sound, core, qp) => {
      const q = qp.requester;
      q.rnrTimer?.cancel();
      q.rnrTimer = undefined;
      sound(core, qp);
    },
  }),

  faultsAt(waitForReceiver, {
    'rnr-nak-ignored': () => undefined,
    'rnr-wait-of-former-life-ends': (sound, core, qp, psn, code, fail) => {
      sound(core, qp, psn, code, fail);
      const former = qp.requester;
      core.clock.setTimer(rnrWait(core, qp, code), () => {
        const q = qp.requester;
        if (q === former || q.rnrTimer === undefined) return;
        q.rnrTimer.cancel();
        q.rnrTimer = undefined;
        schedule(core, qp);
      });
    },
    'rnr-nak-ignored-in-sqd': (sound, core, qp, psn, code, fail) => {
      if (qp.state !== 'IBV_QPS_SQD') sound(core, qp, psn, code, fail);
    },
  }),

  faultsAt(migrate, {
    'migration-ends-rnr-wait': (sound, core, qp) => {
      sound(core, qp);
      const q = qp.requester;
      q.rnrTimer?.cancel();
      q.rnrTimer = undefined;
      schedule(core, qp);
    },
  }),

  // a NAK while the requester waits
  faultsAt(handleSequenceNak, {
    'nak-ends-rnr-wait': (sound, core, qp, psn) => {
      const q = qp.requester;
      q.rnrTimer?.cancel();
      q.rnrTimer = undefined;
      sound(core, qp, psn);
    },
    'nak-ignored-in-rnr-wait': (sound, core, qp, psn) => {
      if (qp.requester.rnrTimer === undefined) sound(core, qp, psn);
    },
  }),

  faultsAt(rnrUnlimited, {
    'rnr-seven-finite': () => false,
    'rnr-nak-fatal': () => false,
    'ooo-rnr-retries-endless': (sound, core, qp) => qp.ooo !== undefined || sound(core, qp),
  }),

  faultsAt(rnrExhausted, {
    'rnr-nak-fatal': () => true,
    'one-rnr-retry-less': (_sound, _core, { requester }) => requester.rnrLeft <= 1,
    'one-rnr-retry-more': (_sound, _core, { requester }) => requester.rnrLeft < 0,
  }),

  faultsAt(spendRnrRetry, {
    'rnr-retries-spent-migrate': (sound, core, qp) => {
      const status = sound(core, qp);
      if (status === undefined || !canMigrate(core, qp)) return status;
      migrate(core, qp);
      qp.requester.rnrLeft = qp.attr.rnr_retry ?? 0;
      return undefined;
    },
    'rnr-consumes-retries': (sound, core, qp) => {
      const status = sound(core, qp);
      if (status !== undefined) return status;
      if (qp.requester.retriesLeft === 0) return 'IBV_WC_RETRY_EXC_ERR';
      qp.requester.retriesLeft--;
      return undefined;
    },
  }),

  faultsAt(resumeAt, {
    'rnr-retry-skips-one': (_sound, _core, qp, psn) =>
      psnDiff(qp.requester.end, psn) > 1 ? psnAdd(psn, 1) : psn,
  }),

  faultsAt(waitsSince, { 'rnr-wait-from-request': (_sound, _core, qp) => newestSentAt(qp) }),

  faultsAt(rnrWait, {
    'rnr-wait-own-timer': (sound, core, qp) => sound(core, qp, qp.attr.min_rnr_timer ?? 0),
    'rnr-table-shifted': (sound, core, qp, code) => sound(core, qp, Math.max(1, code - 1)),
    'rnr-code-zero-no-wait': (sound, core, qp, code) => (code === 0 ? 0 : sound(core, qp, code)),
    'rnr-wait-halved': (_sound, _core, _qp, code) => minimalWait(code) / 2,
  }),

  faultsAt(endOfRnrWait, {
    'rnr-timer-repeats': (sound, core, qp, wait) => {
      sound(core, qp, wait);
      const q = qp.requester;
      core.clock.setTimer(wait + later, () => {
        if (qp.requester === q) repeatNewest(core, qp);
      });
    },
  }),
];
