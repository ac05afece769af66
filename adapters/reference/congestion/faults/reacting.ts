import type { Clock } from '../../../adapter.ts';
import type { QueuePair } from '../../device/qp.ts';
import { reset } from '../../device/reset.ts';
import { enterSqd } from '../../attributes/modify.ts';
import { sendRequest } from '../../rc-requester/send.ts';
import { faultsAt } from '../../seam.ts';
import { alphaSlot, clearMarks } from '../alpha.ts';
import { beginRecovery, cut, decrease, firstRate, noteCnp, savesTarget, untilSlotEnds } from '../cut.ts';
import { afterCut, alphaAfter, riseOf, shareLeft, stepOf } from '../formulas.ts';
import { increaseSpan, restartTimer } from '../increase.ts';
import { stageCount } from '../limiter-state.ts';
import { countBytes, departureRate, spanOf } from '../pace.ts';
import { forgetRate } from '../rate-limiter.ts';
import { startingAlpha, tells } from '../reaction.ts';
import { OneCount } from '../stages.ts';
import { waitOf } from '../wait.ts';

/** Bytes of a frame that is short no more. */
const shortFrame = 256;

/** alpha of a QP when it was reset */
const alphas = new WeakMap<QueuePair, number>();

/** QPs that have been limited before */
const limited = new WeakSet<QueuePair>();

/** clocks of devices that send a request again right now */
const resending = new WeakSet<Clock>();

export const reactingFaults = [
  faultsAt(sendRequest, {
    'retransmissions-not-counted': (sound, core, qp, wqe, fields, again) => {
      if (again) resending.add(core.clock);
      sound(core, qp, wqe, fields, again);
      resending.delete(core.clock);
    },
  }),

  faultsAt(enterSqd, {
    'rate-reset-by-sqd': (sound, device, qp) => {
      forgetRate(qp);
      sound(device, qp);
    },
  }),

  faultsAt(reset, {
    'alpha-survives-reset': (sound, device, qp) => {
      if (qp.limiter !== undefined) alphas.set(qp, qp.limiter.alpha);
      sound(device, qp);
    },
    'limiter-survives-reset': (sound, device, qp) => {
      const { limiter } = qp;
      qp.limiter = undefined;
      sound(device, qp);
      qp.limiter = limiter;
    },
  }),

  faultsAt(tells, { 'rate-reports-missing': (sound, core, cause) => cause !== 'cut' && sound(core, cause) }),

  // alpha

  faultsAt(startingAlpha, {
    'alpha-starts-at-zero': () => 0,
    'alpha-survives-reset': (sound, core, qp, parameters) => {
      const alpha = alphas.get(qp) ?? sound(core, qp, parameters);
      alphas.delete(qp);
      return alpha;
    },
    'alpha-restarts-halved': (sound, core, qp, parameters) => {
      const alpha = sound(core, qp, parameters);
      const again = limited.has(qp);
      limited.add(qp);
      return again ? alpha / 2 : alpha;
    },
  }),

  faultsAt(alphaSlot, {
    'alpha-slot-doubled': (sound, limiter) => 2 * sound(limiter),
    'alpha-slot-halved': (sound, limiter) => 0.5 * sound(limiter),
  }),

  faultsAt(alphaAfter, {
    'alpha-weight-swapped': (sound, limiter, alpha, cnps, g) => sound(limiter, alpha, cnps, 1 - g),
    'alpha-never-decays': (sound, limiter, alpha, cnps, g) =>
      cnps === 0 ? alpha : sound(limiter, alpha, cnps, g),
    'alpha-grows-beyond-one': (sound, limiter, alpha, cnps, g) =>
      cnps > 0 ? alpha + g : sound(limiter, alpha, cnps, g),
    'alpha-counts-cnps': (_sound, _limiter, alpha, cnps, g) => (1 - g) * alpha + g * cnps,
  }),

  faultsAt(clearMarks, {
    'alpha-mark-kept': () => undefined,
    'alpha-slot-moves-target': (sound, limiter) => {
      sound(limiter);
      limiter.target = Math.round((limiter.rate + limiter.target) / 2);
    },
  }),

  // cuts

  faultsAt(firstRate, { 'cut-missing': () => undefined }),

  faultsAt(noteCnp, {
    'cnp-resets-alpha': (sound, limiter) => {
      limiter.alpha = limiter.parameters.initialAlpha;
      sound(limiter);
    },
    'cnp-moves-target': (sound, limiter) => {
      limiter.target = limiter.rate;
      sound(limiter);
    },
  }),

  faultsAt(decrease, {
    'cut-missing': () => undefined,
    'cut-per-cnp': (_sound, limiter) => cut(limiter),
  }),

  faultsAt(untilSlotEnds, {
    'cut-late': (sound, limiter) => sound(limiter) + 2 * limiter.parameters.decreaseSlot,
  }),

  faultsAt(cut, {
    'cut-repeated': (sound, limiter) => {
      sound(limiter);
      if (limiter.cuts % 2 !== 1) return;
      limiter.decreaseTimer ??= limiter.options.clock.setTimer(limiter.parameters.decreaseSlot, () => {
        limiter.decreaseTimer = undefined;
        cut(limiter);
      });
    },
  }),

  faultsAt(savesTarget, {
    'target-always-saved': () => true,
    'target-not-saved': () => false,
  }),

  faultsAt(afterCut, {
    'cut-raises-rate': (_sound, _limiter, rate, alpha) => Math.round(rate * (1 + alpha / 2)),
    'min-rate-undercut': (sound, limiter, rate, alpha, parameters) =>
      sound(limiter, rate, alpha, { ...parameters, minRate: 1 }),
  }),

  faultsAt(shareLeft, {
    'cut-by-whole-alpha': (_sound, _limiter, alpha) => 1 - alpha,
    'cut-always-half': (_sound, _limiter, _alpha, { minDecreaseFactor }) => Math.max(0.5, minDecreaseFactor),
    'cut-unbounded': (_sound, _limiter, alpha) => 1 - alpha / 2,
  }),

  faultsAt(beginRecovery, {
    'cut-resets-alpha': (sound, limiter) => {
      limiter.alpha = limiter.parameters.initialAlpha;
      sound(limiter);
    },
    'stage-kept-at-cut': (_sound, limiter) => {
      limiter.bytes = 0;
      restartTimer(limiter);
    },
    'bytes-kept-at-cut': (sound, limiter) => {
      const { bytes } = limiter;
      sound(limiter);
      limiter.bytes = bytes;
    },
    'timer-kept-at-cut': (sound, limiter) => {
      if (limiter.cuts === 1) {
        sound(limiter);
        return;
      }
      limiter.stages.reset();
      limiter.bytes = 0;
    },
  }),

  // increases

  faultsAt(stageCount, {
    'recovery-skipped': (sound, options) =>
      options.settings.increase === 'one-count'
        ? new OneCount(options.settings.dcqcn.threshold, 'active')
        : sound(options),
  }),

  faultsAt(restartTimer, {
    'timer-never-increases': (_sound, { increaseTimer }) => increaseTimer?.cancel(),
  }),

  faultsAt(increaseSpan, { 'timer-halved': (sound, limiter) => sound(limiter) / 2 }),

  faultsAt(spanOf, {
    'short-packets-not-paced': (sound, limiter, bytes) => (bytes < shortFrame ? 0 : sound(limiter, bytes)),
  }),
  faultsAt(countBytes, {
    'retransmissions-not-counted': (sound, limiter, bytes) => {
      if (!resending.has(limiter.options.clock)) sound(limiter, bytes);
    },
    'bytes-not-counted': () => undefined,
    'short-packets-not-counted': (sound, limiter, bytes) => {
      if (bytes >= shortFrame) sound(limiter, bytes);
    },
    'bytes-counted-twice': (sound, limiter, bytes) => sound(limiter, 2 * bytes),
  }),

  faultsAt(stepOf, {
    'rate-beyond-line': (sound, limiter, stage, rates, parameters, lineRate) =>
      sound(limiter, stage, rates, parameters, 2 * lineRate),
    'increase-jumps-to-target': (sound, limiter, stage, rates, parameters, lineRate) => {
      const { target } = sound(limiter, stage, rates, parameters, lineRate);
      return { rate: target, target };
    },
  }),

  faultsAt(riseOf, {
    'recovery-raises-target': (sound, limiter, stage, parameters) =>
      stage === 'recovery' ? parameters.activeIncrease : sound(limiter, stage, parameters),
    'recovery-endless': () => 0,
    'active-step-doubled': (sound, limiter, stage, parameters) =>
      (stage === 'active' ? 2 : 1) * sound(limiter, stage, parameters),
    'hyper-never': (sound, limiter, stage, parameters) =>
      sound(limiter, stage === 'hyper' ? 'active' : stage, parameters),
    'hyper-step-and-a-half': (sound, limiter, stage, parameters) =>
      (stage === 'hyper' ? 1.5 : 1) * sound(limiter, stage, parameters),
  }),

  // departures

  faultsAt(waitOf, { 'rate-not-heeded': () => 0 }),

  faultsAt(departureRate, {
    'rate-heeded-by-half': (sound, limiter) => 2 * sound(limiter),
    'rate-undercut': (sound, limiter) => sound(limiter) / 10,
  }),
];
