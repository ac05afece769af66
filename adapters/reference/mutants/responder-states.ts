import type { Mutant } from './table.ts';

/** Faults in which packets a responder looks at, and in what its software is told. */
export const responderStates = [
  {
    id: 'unknown-qp-accepted',
    says: 'Takes packets to QP numbers that do not exist for those of its first QP.',
    breaks: 'a packet to an unknown QP is dropped silently',
    statements: ['ee-drop-no-qp'],
  },
  {
    id: 'answers-in-init',
    says: 'Answers requests in INIT as long as it knows an address.',
    breaks: 'a QP in INIT drops everything and sends nothing',
    statements: ['rc-qp-states-that-respond', 'ee-drop-bad-state'],
  },
  {
    id: 'silent-in-rtr',
    says: 'Looks at no request before RTS.',
    breaks: 'a QP answers requests in RTR',
    statements: ['rc-qp-states-that-respond'],
  },
  {
    id: 'silent-in-sqd',
    says: 'Looks at no request in SQD.',
    breaks: 'a QP answers requests in SQD',
    statements: ['rc-qp-states-that-respond'],
  },
  {
    id: 'established-missing',
    says: 'Never raises COMM_EST.',
    breaks: 'the first packet in RTR raises COMM_EST',
    statements: ['ee-comm-est-first-packet', 'ee-comm-est-any-op'],
  },
  {
    id: 'established-not-rearmed',
    says: 'Raises COMM_EST once in the life of a QP.',
    breaks: 'COMM_EST is raised anew after the QP came to RTR again',
    statements: ['ee-comm-est-rearm'],
  },
  {
    id: 'resources-unreported',
    says: 'Raises no event for a READ or atomic beyond max_dest_rd_atomic.',
    breaks: 'software learns of every fatal fault',
    statements: ['rc-overrun-responder-async-event', 'ee-rdatomic-too-many'],
  },
  {
    id: 'misaligned-unreported',
    says: 'Raises no event for an atomic on a wrong address.',
    breaks: 'software learns of every fatal fault',
    statements: ['ee-rdatomic-misaligned'],
  },
  {
    id: 'too-long-status',
    says: 'Completes the WQE of a SEND that is too long with a general error.',
    breaks: 'a SEND too long for its WQE is a local length error',
    statements: ['ee-wcrow-loc-len-recv'],
  },
  {
    id: 'local-memory-status',
    says: 'Completes a WQE that names unusable memory with a general error.',
    breaks: 'unusable memory is a local protection error',
    statements: ['ee-wcrow-loc-prot'],
  },
  {
    id: 'invalid-request-status',
    says: 'Completes the WQE of an invalid request with a general error.',
    breaks: 'an invalid request is a local QP operation error',
    statements: ['ee-completion-preferred'],
  },
  {
    id: 'remote-access-status',
    says: 'Completes the WQE of a refused WRITE with immediate data with a general error.',
    breaks: 'a remote access error is a local access error',
    statements: ['ee-wcrow-loc-access'],
  },
] as const satisfies readonly Mutant[];
