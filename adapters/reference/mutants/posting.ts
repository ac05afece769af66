import type { Mutant } from './table.ts';

/** Faults in posting work requests. */
export const posting = [
  {
    id: 'post-send-before-rts',
    says: 'Takes send requests before RTS and forgets them, as real devices do.',
    breaks: 'ibv_post_send fails before RTS',
    statements: ['ee-post-send-early-states', 'ee-immediate-error'],
  },
  {
    id: 'post-send-kept-for-rts',
    says: 'Takes send requests in RTR and sends them in RTS.',
    breaks: 'ibv_post_send fails before RTS',
    statements: ['ee-post-send-early-states'],
  },
  {
    id: 'post-send-refused-in-sqd',
    says: 'Refuses send requests in SQD.',
    breaks: 'ibv_post_send succeeds in SQD',
    statements: ['ee-post-send-rts-sqd'],
  },
  {
    id: 'post-send-flushed-in-sqd',
    says: 'Flushes send requests in SQD.',
    breaks: 'send requests wait in SQD',
    statements: ['ee-post-send-rts-sqd', 'ee-post-send-err-sqe'],
  },
  {
    id: 'sqd-request-completes',
    says: 'Completes a send request in SQD that it has not sent.',
    breaks: 'send requests wait in SQD',
    statements: ['ee-post-send-rts-sqd'],
  },
  {
    id: 'post-send-held-in-sqe',
    says: 'Keeps send requests that are posted in SQE.',
    breaks: 'send requests are flushed in SQE',
    statements: ['ee-post-send-err-sqe', 'ee-flush-on-sqe'],
  },
  {
    id: 'post-send-refused-in-err',
    says: 'Refuses send requests in ERR and SQE.',
    breaks: 'send requests are flushed in ERR and SQE',
    statements: ['ee-post-send-err-sqe'],
  },
  {
    id: 'post-send-unsignaled-refused',
    says: 'Refuses send requests that ask for no completion.',
    breaks: 'ibv_post_send succeeds in RTS',
    statements: ['ee-post-send-rts-sqd'],
  },
  {
    id: 'send-queue-overfilled',
    says: 'Takes one send request more than the queue has room for.',
    breaks: 'ibv_post_send fails where the queue is full',
    statements: ['ee-post-send-full'],
  },
  {
    id: 'post-recv-in-reset',
    says: 'Takes receive requests in RESET.',
    breaks: 'ibv_post_recv fails in RESET',
    statements: ['ee-post-recv-reset'],
  },
  {
    id: 'post-recv-refused-in-init',
    says: 'Refuses receive requests in INIT.',
    breaks: 'ibv_post_recv succeeds in INIT',
    statements: ['ee-post-recv-ok-states'],
  },
  {
    id: 'post-recv-refused-in-sqd',
    says: 'Refuses receive requests in SQD and SQE.',
    breaks: 'ibv_post_recv succeeds in SQD and SQE',
    statements: ['ee-post-recv-ok-states'],
  },
  {
    id: 'post-recv-held-in-err',
    says: 'Keeps receive requests that are posted in ERR.',
    breaks: 'receive requests are flushed in ERR',
    statements: ['ee-post-recv-err'],
  },
  {
    id: 'post-recv-refused-in-err',
    says: 'Refuses receive requests in ERR.',
    breaks: 'receive requests are flushed in ERR',
    statements: ['ee-post-recv-err'],
  },
  {
    id: 'receive-queue-overfilled',
    says: 'Takes one receive request more than the queue has room for.',
    breaks: 'ibv_post_recv fails where the queue is full',
    statements: ['ee-post-recv-full'],
  },
  {
    id: 'shared-queue-overfilled',
    says: 'Takes one receive request more than an SRQ has room for.',
    breaks: 'ibv_post_srq_recv fails where the queue is full',
    statements: ['ee-post-recv-full'],
  },
  {
    id: 'shared-receive-refused',
    says: 'Refuses receive requests for an SRQ while a QP on it is in ERR.',
    breaks: 'ibv_post_srq_recv succeeds whatever the QPs do',
    statements: ['ee-srq-not-flushed'],
  },
  {
    id: 'refused-post-fatal',
    says: 'Takes the QP to ERR for a request that its queue has no room for.',
    breaks: 'posting changes no state',
    statements: ['ee-post-no-state-change'],
  },
  {
    id: 'flushed-post-resets',
    says: 'Takes the QP from ERR or SQE to RESET when a request is posted.',
    breaks: 'posting changes no state',
    statements: ['ee-post-no-state-change'],
  },
] as const satisfies readonly Mutant[];
