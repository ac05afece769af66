import type { Mutant } from './table.ts';

/** Faults of completion queues, shared receive queues and what flushes them. */
export const queues = [
  {
    id: 'cq-overflow-silent',
    says: 'Loses completions that a CQ has no room for.',
    breaks: 'a CQ that overflows raises IBV_EVENT_CQ_ERR',
    statements: ['ee-cq-err-overflow'],
  },
  {
    id: 'cq-overflow-survived',
    says: 'Goes on with a CQ that overflowed, without the completions that it had no room for.',
    breaks: 'a CQ in error takes no completions',
    statements: ['ee-cq-err-no-push-no-poll'],
  },
  {
    id: 'cq-error-not-spread',
    says: 'Tells the QPs of a CQ in error nothing.',
    breaks: 'every QP of a CQ in error raises IBV_EVENT_QP_FATAL',
    statements: ['ee-cq-err-cascade'],
  },
  {
    id: 'fatal-event-state-kept',
    says: 'Keeps the state of a QP that raises IBV_EVENT_QP_FATAL.',
    breaks: 'a QP is in ERR after IBV_EVENT_QP_FATAL',
    statements: ['ee-qp-fatal-error-state'],
  },
  {
    id: 'shared-queue-flushed',
    says: 'Flushes the SRQ of a QP that goes to ERR.',
    breaks: 'receive WQEs of an SRQ stay there',
    statements: ['ee-srq-not-flushed'],
  },
  {
    id: 'flush-unprompted',
    says: 'Flushes the receive queue when SQD is entered.',
    breaks: 'nothing is flushed before a QP fails',
    statements: ['ee-flush-not-root-cause'],
  },
  {
    id: 'last-wqe-missing',
    says: 'Raises no IBV_EVENT_QP_LAST_WQE_REACHED.',
    breaks: 'a QP on an SRQ that goes to ERR raises IBV_EVENT_QP_LAST_WQE_REACHED',
    statements: ['ee-last-wqe-general', 'ee-last-wqe-cond-last-cqe', 'ee-last-wqe-cond-srq-empty'],
  },
  {
    id: 'last-wqe-repeated',
    says: 'Raises IBV_EVENT_QP_LAST_WQE_REACHED twice.',
    breaks: 'IBV_EVENT_QP_LAST_WQE_REACHED comes once',
    statements: ['ee-last-wqe-general'],
  },
  {
    id: 'last-wqe-without-srq',
    says: 'Raises IBV_EVENT_QP_LAST_WQE_REACHED for a QP with a receive queue of its own.',
    breaks: 'only a QP on an SRQ raises IBV_EVENT_QP_LAST_WQE_REACHED',
    statements: ['ee-last-wqe-general'],
  },
  {
    id: 'srq-limit-missing',
    says: 'Raises no IBV_EVENT_SRQ_LIMIT_REACHED.',
    breaks: 'an SRQ with fewer WQEs than its limit raises IBV_EVENT_SRQ_LIMIT_REACHED',
    statements: ['ee-srq-limit-fires'],
  },
  {
    id: 'srq-limit-early',
    says: 'Raises IBV_EVENT_SRQ_LIMIT_REACHED four WQEs too early.',
    breaks: 'IBV_EVENT_SRQ_LIMIT_REACHED comes below the limit',
    statements: ['ee-srq-limit-fires'],
  },
  {
    id: 'srq-limit-late',
    says: 'Raises IBV_EVENT_SRQ_LIMIT_REACHED one WQE too late.',
    breaks: 'IBV_EVENT_SRQ_LIMIT_REACHED comes below the limit',
    statements: ['ee-srq-limit-fires'],
  },
  {
    id: 'srq-limit-repeated',
    says: 'Raises IBV_EVENT_SRQ_LIMIT_REACHED for every WQE below the limit.',
    breaks: 'IBV_EVENT_SRQ_LIMIT_REACHED comes once',
    statements: ['ee-srq-limit-disarm'],
  },
  {
    id: 'srq-limit-once',
    says: 'Raises IBV_EVENT_SRQ_LIMIT_REACHED once in the life of an SRQ.',
    breaks: 'a limit that is set anew raises the event again',
    statements: ['ee-srq-limit-rearm'],
  },
  {
    id: 'srq-limit-refused',
    says: 'Takes no limit where it cannot change the size of an SRQ.',
    breaks: 'a limit needs no IBV_DEVICE_SRQ_RESIZE',
    statements: ['ee-srq-limit-no-resize'],
  },
  {
    id: 'srq-resized-anyway',
    says: 'Changes the size of an SRQ though it says that it cannot.',
    breaks: 'a size needs IBV_DEVICE_SRQ_RESIZE',
    statements: ['ee-srq-max-wr-needs-resize'],
  },
  {
    id: 'srq-limit-not-told',
    says: 'Says that no limit of an SRQ is set.',
    breaks: 'ibv_query_srq gives the limit that is armed',
    statements: ['ee-srq-limit-rearm'],
  },
  {
    id: 'srq-limit-told-after',
    says: 'Goes on to give a limit whose event has been raised.',
    breaks: 'a limit is 0 after its event',
    statements: ['ee-srq-limit-disarm'],
  },
  {
    id: 'srq-limit-of-size',
    says: 'Gives the size of an SRQ as its limit as long as none is set.',
    breaks: 'a limit that nobody has set is 0',
    statements: ['ee-srq-limit-rearm'],
  },
  {
    id: 'drained-unasked',
    says: 'Raises IBV_EVENT_SQ_DRAINED though nobody asked for it.',
    breaks: 'IBV_EVENT_SQ_DRAINED comes where software asked for it',
    statements: ['ee-sq-drained-fires'],
  },
  {
    id: 'drained-missing',
    says: 'Raises no IBV_EVENT_SQ_DRAINED.',
    breaks: 'a drained send queue raises IBV_EVENT_SQ_DRAINED where software asked for it',
    statements: ['ee-sq-drained-fires'],
  },
  {
    id: 'drained-early',
    says: 'Raises IBV_EVENT_SQ_DRAINED as soon as SQD is entered.',
    breaks: 'IBV_EVENT_SQ_DRAINED waits for what is unanswered',
    statements: ['ee-sq-drained-fires'],
  },
  {
    id: 'drained-repeated',
    says: 'Raises IBV_EVENT_SQ_DRAINED twice.',
    breaks: 'IBV_EVENT_SQ_DRAINED comes once',
    statements: ['ee-sq-drained-fires'],
  },
] as const satisfies readonly Mutant[];
