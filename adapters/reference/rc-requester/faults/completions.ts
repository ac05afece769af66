import type { WcStatus } from '../../../../spec/verbs.ts';
import { psnAdd, psnDiff } from '../../../../wire/index.ts';
import type { Core } from '../../device/core.ts';
import { schedule } from '../../device/pump.ts';
import type { QueuePair } from '../../device/qp.ts';
import { faultsAt } from '../../seam.ts';
import { completeInError, failHead, succeed, succeedAll, successOf } from '../complete.ts';
import { announceDrained, isDrained, raiseDrained } from '../drain.ts';
import { carriedOut } from '../local.ts';
import { packetAt } from '../segment.ts';
import type { SendWqe } from '../state.ts';

type Failing = (core: Core, qp: QueuePair, wqe: SendWqe, status: WcStatus) => void;

/** A status is taken for another. */
const mistaking =
  (from: WcStatus, to: WcStatus) =>
  (sound: Failing, core: Core, qp: QueuePair, wqe: SendWqe, status: WcStatus): void =>
    sound(core, qp, wqe, status === from ? to : status);

/** A request that was never carried out, and of which there is no complaint. */
function completing(
  sound: (core: Core, qp: QueuePair, status: WcStatus) => void,
  core: Core,
  qp: QueuePair,
  status: WcStatus,
): void {
  const [wqe] = qp.requester.queue;
  if (wqe === undefined || status !== 'IBV_WC_SUCCESS') {
    sound(core, qp, status);
    return;
  }
  qp.requester.queue.shift();
  succeed(core, qp, wqe);
  schedule(core, qp);
}

export const completionFaults = [
  faultsAt(carriedOut, {
    'local-work-completes-at-once': (_sound, core, qp, wqe) => {
      const { queue } = qp.requester;
      queue.splice(queue.indexOf(wqe), 1);
      succeed(core, qp, wqe);
    },
  }),

  faultsAt(succeedAll, {
    'completions-swapped': (sound, core, qp, passed) => sound(core, qp, passed.toReversed()),
    'send-completion-doubled': (_sound, core, qp, passed) => {
      for (const wqe of passed) {
        succeed(core, qp, wqe);
        succeed(core, qp, wqe);
      }
    },
  }),

  faultsAt(succeed, {
    'local-unsignaled-completes': (sound, core, qp, wqe) =>
      sound(core, qp, wqe.kind === 'local' ? { ...wqe, signaled: true } : wqe),
    'unsignaled-completes': (sound, core, qp, wqe) => sound(core, qp, { ...wqe, signaled: true }),
    'send-completion-missing': (sound, core, qp, wqe) => {
      if (wqe.kind !== 'read') sound(core, qp, wqe);
    },
    'unreliable-completion-missing': (sound, core, qp, wqe) => {
      if (qp.service === 'RC') sound(core, qp, wqe);
    },
    'unreliable-completion-doubled': (sound, core, qp, wqe) => {
      sound(core, qp, wqe);
      if (qp.service !== 'RC') sound(core, qp, wqe);
    },
  }),

  faultsAt(successOf, {
    'send-completion-opcode': (sound, core, qp, wqe) => ({
      ...sound(core, qp, wqe),
      opcode: 'IBV_WC_SEND' as const,
    }),
    'completion-of-other-qp': (sound, core, qp, wqe) => ({ ...sound(core, qp, wqe), qp_num: qp.destQp }),
  }),

  faultsAt(completeInError, {
    'failure-uncompleted': (sound, core, qp, wqe, status) => {
      if (qp.service !== 'RC' || status === 'IBV_WC_WR_FLUSH_ERR') sound(core, qp, wqe, status);
    },
    'retries-exceeded-as-abort': mistaking('IBV_WC_RETRY_EXC_ERR', 'IBV_WC_REM_ABORT_ERR'),
    'internal-status-shown': mistaking('IBV_WC_RNR_RETRY_EXC_ERR', 'IBV_WC_RESP_TIMEOUT_ERR'),
    'status-undefined': mistaking('IBV_WC_RNR_RETRY_EXC_ERR', 'IBV_WC_NOT_READY_ERR'),
    'rnr-exhausted-status': mistaking('IBV_WC_RNR_RETRY_EXC_ERR', 'IBV_WC_RETRY_EXC_ERR'),
    'local-protection-status': mistaking('IBV_WC_LOC_PROT_ERR', 'IBV_WC_LOC_QP_OP_ERR'),
    'ud-long-status': mistaking('IBV_WC_LOC_LEN_ERR', 'IBV_WC_LOC_PROT_ERR'),
    'long-request-status': mistaking('IBV_WC_LOC_LEN_ERR', 'IBV_WC_LOC_QP_OP_ERR'),
    'retry-exhausted-status': (sound, core, qp, wqe, status) => {
      const wrong = status === 'IBV_WC_RETRY_EXC_ERR' && qp.ooo === undefined;
      sound(core, qp, wqe, wrong ? 'IBV_WC_REM_OP_ERR' : status);
    },
    'unreliable-retries-exceeded': (sound, core, qp, wqe, status) =>
      sound(core, qp, wqe, qp.service === 'RC' ? status : 'IBV_WC_RETRY_EXC_ERR'),
    'failed-request-succeeds': (sound, core, qp, wqe, status) =>
      sound(core, qp, wqe, qp.service === 'RC' ? 'IBV_WC_SUCCESS' : status),
    'local-unsignaled-failure-silent': (sound, core, qp, wqe, status) => {
      if (wqe.signaled || wqe.kind !== 'local') sound(core, qp, wqe, status);
    },
    'unsignaled-failure-silent': (sound, core, qp, wqe, status) => {
      if (wqe.signaled || qp.service !== 'RC') sound(core, qp, wqe, status);
    },
    'failure-completed-twice': (sound, core, qp, wqe, status) => {
      sound(core, qp, wqe, status);
      if (qp.service === 'RC') sound(core, qp, wqe, status);
    },
  }),

  faultsAt(failHead, {
    'bad-opcode-completes': completing,
    'long-request-completes': completing,
    'transmits-after-failure': (sound, core, qp, status) => {
      const [wqe] = qp.requester.queue;
      const again = wqe === undefined ? undefined : packetAt(core, qp, wqe, wqe.psn);
      sound(core, qp, status);
      if (again !== undefined) core.transmit(qp, again);
    },
    'failure-after-flush': (_sound, core, qp, status) => {
      const wqe = qp.requester.queue.shift();
      core.fail(qp);
      if (wqe === undefined) return;
      completeInError(core, qp, wqe, status);
      core.fail(qp);
    },
    'failure-leaves-qp-in-rts': (sound, core, qp, status) => {
      const q = qp.requester;
      const wqe = q.queue.shift();
      if (wqe === undefined) {
        sound(core, qp, status);
        return;
      }
      completeInError(core, qp, wqe, status);
      if (wqe.launched) q.una = psnAdd(wqe.psn, wqe.packets);
      if (psnDiff(q.next, q.una) < 0) q.next = q.una;
      schedule(core, qp);
    },
    'rc-fault-in-sqe': (sound, core, qp, status) => {
      const empty = qp.requester.queue.length === 0;
      sound(core, qp, status);
      if (!empty && status.startsWith('IBV_WC_LOC_')) qp.state = qp.attr.qp_state = 'IBV_QPS_SQE';
    },
  }),

  faultsAt(isDrained, {
    'drained-early': () => true,
    'ooo-drained-early': (sound, core, qp) => qp.ooo !== undefined || sound(core, qp),
    'drained-in-rnr-wait': (sound, core, qp) => qp.requester.rnrTimer !== undefined || sound(core, qp),
  }),

  faultsAt(announceDrained, {
    'drained-unasked': (_sound, core, qp) => raiseDrained(core, qp),
    'drained-missing': () => undefined,
    'drained-repeated': (sound, core, qp) => {
      sound(core, qp);
      sound(core, qp);
    },
  }),
];
