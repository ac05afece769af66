import type { Mutant } from './table.ts';

/** Faults of a UC QP as responder. */
export const unreliableReceiving = [
  {
    id: 'uc-gap-ignored',
    says: 'Goes on with a UC message in spite of a packet that was lost.',
    breaks: 'a UC message that lost a packet is given up',
    statements: ['ee-uc-loss-no-retransmit', 'ee-uc-loss-recv-wr-reused'],
  },
  {
    id: 'uc-gap-fatal',
    says: 'Takes a UC QP to ERR when a packet was lost.',
    breaks: 'packet loss moves no UC QP to ERR',
    statements: ['ee-uc-loss-no-error-state'],
  },
  {
    id: 'uc-abandoned-receive-lost',
    says: 'Forgets the receive WQE of a UC message that was given up.',
    breaks: 'the receive WQE of a UC message that lost a packet is used again',
    statements: ['ee-uc-loss-recv-wr-reused'],
  },
  {
    id: 'uc-abandoned-position-kept',
    says: 'Goes on where the lost message ended in a receive buffer that is used again.',
    breaks: 'a receive WQE is used again from its start',
    statements: ['ee-uc-loss-recv-wr-reused'],
  },
  {
    id: 'uc-resync-missing',
    says: 'Waits for the lost UC packet for ever.',
    breaks: 'the next First or Only begins a message, whatever its PSN',
    statements: ['ee-uc-loss-no-retransmit', 'ee-uc-loss-recv-wr-reused'],
  },
  {
    id: 'uc-behind-as-duplicate',
    says: 'Drops UC packets with a PSN behind the expected one as duplicates.',
    breaks: 'the next First or Only begins a message, whatever its PSN',
    statements: ['ee-uc-loss-no-retransmit'],
  },
  {
    id: 'uc-first-in-message-dropped',
    says: 'Drops a First or Only in the middle of a UC message.',
    breaks: 'a First or Only in a message begins a new one',
    statements: ['ee-uc-loss-recv-wr-reused'],
  },
  {
    id: 'uc-middle-starts',
    says: 'Begins a UC message with a Middle or Last.',
    breaks: 'Middle and Last packets without a message are dropped',
    statements: ['ee-uc-loss-recv-wr-reused'],
  },
  {
    id: 'uc-kinds-mixed',
    says: 'Goes on with a SEND for the Middle or Last of a WRITE.',
    breaks: 'a Middle or Last of another kind ends the message',
    statements: ['ee-uc-loss-recv-wr-reused'],
  },
  {
    id: 'uc-abort-fatal',
    says: 'Goes to ERR with a receive that it aborts.',
    breaks: 'an aborted receive leaves the QP as it is',
    statements: ['ee-rem-abort-qp-stays'],
  },
  {
    id: 'uc-abort-status',
    says: 'Reports an aborted receive as flushed.',
    breaks: 'an aborted receive completes with IBV_WC_REM_ABORT_ERR',
    statements: ['ee-uc-loss-srq-abort'],
  },
  {
    id: 'uc-answers-gap',
    says: 'Answers a UC packet ahead of the expected PSN by a NAK.',
    breaks: 'a UC QP answers nothing',
    statements: ['ee-uc-loss-no-retransmit', 'ee-rem-abort-requester-unaware'],
  },
  {
    id: 'uc-acknowledges',
    says: 'Acknowledges UC messages.',
    breaks: 'a UC QP answers nothing',
    statements: ['ee-rem-abort-requester-unaware'],
  },
  {
    id: 'uc-no-receive-fatal',
    says: 'Goes to ERR for a UC SEND that finds no receive WQE.',
    breaks: 'a UC SEND without receive WQE is dropped',
    statements: ['ee-uc-loss-no-error-state'],
  },
  {
    id: 'uc-access-event',
    says: 'Raises an access event for a UC WRITE that it refuses.',
    breaks: 'only RC QPs raise IBV_EVENT_QP_ACCESS_ERR',
    statements: ['ee-evrow-qp-access-err-rc-only'],
  },
  {
    id: 'uc-request-event',
    says: 'Raises a request event for a UC packet of a wrong length.',
    breaks: 'only RC QPs raise IBV_EVENT_QP_REQ_ERR',
    statements: ['ee-evrow-qp-req-err-rc-only'],
  },
  {
    id: 'uc-refused-write-fatal',
    says: 'Goes to ERR for a UC WRITE that it refuses.',
    breaks: 'a UC WRITE that may not be carried out is dropped',
    statements: ['ee-remote-prot-check', 'ee-write-responder-error-state'],
  },
  {
    id: 'uc-too-long-status',
    says: 'Reports a UC SEND that is too long as an operation error.',
    breaks: 'a SEND too long for its receive WQE completes it with IBV_WC_LOC_LEN_ERR, if at all',
    statements: ['ee-wcrow-loc-len-recv', 'ee-send-short-recv-buffer'],
  },
  {
    id: 'uc-access-status',
    says: 'Reports a forbidden UC WRITE with immediate as a protection error.',
    breaks: 'a forbidden WRITE completes a receive WQE with IBV_WC_LOC_ACCESS_ERR, if at all',
    statements: ['ee-wcrow-loc-access', 'ee-loc-access-cause'],
  },
  {
    id: 'unreliable-receive-fault-silent',
    says: 'Drops a UC or UD message in silence whose receive WQE names memory that may not be used.',
    breaks: 'a receive WQE with a local fault completes in error',
    statements: ['ee-wcrow-loc-prot', 'ee-local-prot-check'],
  },
  {
    id: 'unreliable-receive-fault-survived',
    says: 'Keeps the state of a UC or UD QP whose receive WQE has a local fault.',
    breaks: 'a local fault of a receive WQE moves the QP to ERR',
    statements: ['ee-wcrow-loc-prot', 'ee-completion-error-forces-qp-state'],
  },
  {
    id: 'unreliable-receive-fault-status',
    says: 'Reports a local fault of a UC or UD receive WQE as a general error.',
    breaks: 'a receive WQE that names unusable memory completes with IBV_WC_LOC_PROT_ERR',
    statements: ['ee-loc-prot-cause'],
  },
] as const satisfies readonly Mutant[];
