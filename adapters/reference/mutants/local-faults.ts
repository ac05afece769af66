import type { Mutant } from './table.ts';

/** Faults in how a device treats work requests that it cannot carry out. */
export const localFaults = [
  {
    id: 'local-key-unchecked',
    says: 'Looks for local memory by its address alone.',
    breaks: 'an L_Key has to be that of the region',
    statements: ['ee-local-prot-lkey-mismatch', 'ee-send-wqe-lkey', 'ee-loc-prot-cause'],
  },
  {
    id: 'local-bounds-unchecked',
    says: 'Takes an element that reaches beyond its region.',
    breaks: 'an element has to lie in its region',
    statements: ['ee-local-prot-out-of-range'],
  },
  {
    id: 'local-pd-unchecked',
    says: 'Takes an element in a region of another PD.',
    breaks: 'an element has to lie in a region of the PD',
    statements: ['ee-pd-holds-mr-and-qp', 'ee-local-prot-lkey-mismatch'],
  },
  {
    id: 'local-right-unchecked',
    says: 'Places data in a region without the right of local writes.',
    breaks: 'placing data needs IBV_ACCESS_LOCAL_WRITE',
    statements: ['ee-local-prot-access'],
  },
  {
    id: 'local-freed-key-used',
    says: 'Takes an L_Key that was deregistered.',
    breaks: 'a deregistered key names no region',
    statements: ['ee-local-prot-unregistered'],
  },
  {
    id: 'local-protection-status',
    says: 'Reports a protection error of a send request as an operation error.',
    breaks: 'a send WQE with a wrong L_Key completes with IBV_WC_LOC_PROT_ERR',
    statements: ['ee-send-wqe-lkey', 'ee-loc-prot-cause', 'ee-prot-uniform-error'],
  },
  {
    id: 'bad-opcode-status',
    says: 'Reports an opcode that it does not know as a protection error.',
    breaks: 'a send WQE with an invalid opcode completes with IBV_WC_LOC_QP_OP_ERR',
    statements: ['ee-send-wqe-bad-opcode', 'ee-loc-qp-op-cause'],
  },
  {
    id: 'bad-opcode-completes',
    says: 'Completes a request with an opcode that it does not know with success.',
    breaks: 'a send WQE with an invalid opcode completes in error',
    statements: ['ee-send-wqe-bad-opcode', 'ee-success-meaning'],
  },
  {
    id: 'many-elements-status',
    says: 'Reports too many elements as a length error.',
    breaks: 'too many elements complete with IBV_WC_LOC_QP_OP_ERR',
    statements: ['ee-send-wqe-too-many-sge', 'ee-send-wqe-other'],
  },
  {
    id: 'many-elements-cut',
    says: 'Sends the elements that it has room for, and completes with success.',
    breaks: 'a send WQE with too many elements fails',
    statements: ['ee-send-wqe-too-many-sge'],
  },
  {
    id: 'long-request-status',
    says: 'Reports a message that is too long as an operation error.',
    breaks: 'a message that is too long completes with IBV_WC_LOC_LEN_ERR',
    statements: ['ee-loc-len-requester-2g', 'ee-loc-len-requester-devmax', 'ee-wcrow-loc-len-maxmsg'],
  },
  {
    id: 'long-request-completes',
    says: 'Completes a message that is too long with success.',
    breaks: 'a message that is too long completes in error',
    statements: ['ee-loc-len-requester-2g', 'ee-loc-len-requester-devmax'],
  },
  {
    id: 'second-element-fails',
    says: 'Cannot send what lies in several regions.',
    breaks: 'a sound work request is carried out',
    statements: ['ee-success-meaning'],
  },
  {
    id: 'local-fault-overtakes',
    says: 'Fails a request with a local fault before those in front of it are answered.',
    breaks: 'what is in front of a failed request completes',
    statements: ['ee-flush-on-error'],
  },
  {
    id: 'local-fault-unreported',
    says: 'Gives no completion for a UC or UD request with a local fault that was not signaled.',
    breaks: 'a failed request completes even where it was not signaled',
    statements: ['ee-completion-error-bound-to-qp'],
  },
  {
    id: 'local-fault-in-rts',
    says: 'Leaves a UC or UD QP in RTS after a local fault.',
    breaks: 'a local fault moves a UC or UD QP to SQE',
    statements: ['ee-send-wqe-error-ucud-state', 'ee-completion-error-forces-qp-state'],
  },
  {
    id: 'local-fault-in-err',
    says: 'Takes a UC or UD QP to ERR for a local fault of its send queue.',
    breaks: 'a local fault moves a UC or UD QP to SQE',
    statements: ['ee-send-wqe-error-ucud-state', 'ee-sqe-rq-untouched'],
  },
  {
    id: 'rc-fault-in-sqe',
    says: 'Takes an RC QP to SQE for a local fault.',
    breaks: 'a local fault moves an RC QP to ERR',
    statements: ['ee-send-wqe-error-rc-state'],
  },
  {
    id: 'sqe-flushes-receives',
    says: 'Flushes the receive queue on entering SQE.',
    breaks: 'receive WQEs stay posted in SQE',
    statements: ['ee-sqe-rq-untouched'],
  },
  {
    id: 'sqe-flush-missing',
    says: 'Forgets what is behind a failed UC or UD request.',
    breaks: 'the send queue is flushed in SQE',
    statements: ['ee-flush-on-sqe'],
  },
  {
    id: 'sqe-flush-before',
    says: 'Flushes a UC or UD send queue before it reports the request that failed.',
    breaks: 'requests complete in the order in which they were posted',
    statements: ['ee-flush-on-sqe'],
  },
  {
    id: 'sqe-deaf',
    says: 'Receives nothing in SQE.',
    breaks: 'a QP in SQE goes on receiving',
    statements: ['ee-drop-bad-state', 'ee-sqe-rq-untouched'],
  },
  {
    id: 'sqe-final',
    says: 'Does not let software take a QP from SQE to RTS.',
    breaks: 'SQE is left for RTS',
    statements: ['ee-completion-error-forces-qp-state'],
  },
  {
    id: 'inline-data-late',
    says: 'Reads inline data when it sends them.',
    breaks: 'inline data are copied when the request is posted',
    statements: ['ee-success-meaning'],
  },
] as const satisfies readonly Mutant[];
