import type { Mutant } from './table.ts';

/** Completion statuses and events that nobody may see there. */
export const reports = [
  {
    id: 'remote-access-as-local',
    says: 'Reports a remote access error to the requester as a local one.',
    breaks: 'a local access error arises at the responder',
    statements: ['ee-wcrow-loc-access', 'ee-wc-status-table'],
  },
  {
    id: 'datagram-access-error',
    says: 'Reports a local fault of a datagram as a local access error.',
    breaks: 'a UD responder reports no local access error',
    statements: ['ee-wcrow-loc-access'],
  },
  {
    id: 'unreliable-retries-exceeded',
    says: 'Reports a local fault of a UC or UD request as spent retries.',
    breaks: 'errors of the responder arise at an RC requester',
    statements: ['ee-wcrow-requester-rc-only'],
  },
  {
    id: 'receive-remote-operational',
    says: 'Reports a local fault of a receive WQE as a remote operational error.',
    breaks: 'errors of the responder arise at an RC requester',
    statements: ['ee-wcrow-requester-rc-only'],
  },
  {
    id: 'unreliable-receive-invalid',
    says: 'Reports a UC SEND that is too long as a remote invalid request.',
    breaks: 'errors of the responder arise at an RC requester',
    statements: ['ee-wcrow-requester-rc-only'],
  },
  {
    id: 'retries-exceeded-as-abort',
    says: 'Reports spent retries as an aborted operation.',
    breaks: 'an abort arises at a UC responder',
    statements: ['ee-rem-abort-requester-unaware', 'ee-rem-abort-qp-stays'],
  },
  {
    id: 'long-send-as-abort',
    says: 'Reports an RC SEND that is too long as aborted.',
    breaks: 'an abort arises at a UC responder',
    statements: ['ee-rem-abort-qp-stays', 'ee-loc-len-two-causes'],
  },
  {
    id: 'invalid-request-of-rd',
    says: 'Reports a remote invalid request as one of RD.',
    breaks: 'statuses of RD arise in RD',
    statements: ['ee-wcrow-rd-statuses'],
  },
  {
    id: 'status-unheard-of',
    says: 'Reports spent RNR retries by a status that does not exist.',
    breaks: 'a status is one of enum ibv_wc_status',
    statements: ['ee-wc-status-field', 'ee-wc-status-table'],
  },
  {
    id: 'event-unheard-of',
    says: 'Announces communication by an event that does not exist.',
    breaks: 'an event is one of enum ibv_event_type',
    statements: ['ee-async-event-struct', 'ee-async-event-table'],
  },
  {
    id: 'event-without-qp',
    says: 'Raises events of a work queue without naming the QP.',
    breaks: 'an affiliated event names its object',
    statements: ['ee-async-event-struct', 'ee-async-classes', 'ee-evrow-qp-fatal', 'ee-evrow-last-wqe'],
  },
  {
    id: 'fault-event-without-qp',
    says: 'Raises events of refused requests without naming the QP.',
    breaks: 'an affiliated event names its object',
    statements: ['ee-async-event-struct', 'ee-evrow-qp-req-err-rc-only', 'ee-evrow-qp-access-err-rc-only'],
  },
  {
    id: 'established-without-qp',
    says: 'Announces communication without naming the QP.',
    breaks: 'an affiliated event names its object',
    statements: ['ee-async-event-struct', 'ee-evrow-comm-est-services'],
  },
  {
    id: 'migration-without-qp',
    says: 'Raises events of path migration without naming the QP.',
    breaks: 'an affiliated event names its object',
    statements: ['ee-async-event-struct', 'ee-evrow-path-mig-connected'],
  },
  {
    id: 'event-without-cq',
    says: 'Raises the event of a CQ without naming it.',
    breaks: 'an affiliated event names its object',
    statements: ['ee-async-event-struct', 'ee-evrow-cq-srq-err'],
  },
  {
    id: 'event-without-srq',
    says: 'Raises the event of an SRQ without naming it.',
    breaks: 'an affiliated event names its object',
    statements: ['ee-async-event-struct', 'ee-evrow-srq-limit'],
  },
  {
    id: 'event-without-port',
    says: 'Raises events of the port without naming it.',
    breaks: 'an event of a port names it',
    statements: ['ee-async-event-struct', 'ee-evrow-port-device-unaffiliated'],
  },
  {
    id: 'datagram-migrates',
    says: 'Raises IBV_EVENT_PATH_MIG for the first datagram.',
    breaks: 'a UD QP does not migrate',
    statements: ['ee-evrow-path-mig-connected'],
  },
  {
    id: 'completion-of-other-qp',
    says: 'Names the peer in its completions.',
    breaks: 'a completion names its QP',
    statements: ['ee-completion-error-bound-to-qp'],
  },
  {
    id: 'long-send-as-event',
    says: 'Reports an RC SEND that is too long by an event, and not on its receive WQE.',
    breaks: 'a completion is preferred where there is a receive WQE',
    statements: ['ee-completion-preferred', 'ee-send-short-recv-buffer'],
  },
  {
    id: 'fault-reported-twice',
    says: 'Reports a refused SEND on its receive WQE and by an event as well.',
    breaks: 'an error is reported by one channel',
    statements: ['ee-report-channels'],
  },
  {
    id: 'access-event-as-request',
    says: 'Raises a request event for a remote access error.',
    breaks: 'a remote access error raises IBV_EVENT_QP_ACCESS_ERR',
    statements: ['ee-access-err-general', 'ee-write-rkey', 'ee-rdatomic-rkey'],
  },
  {
    id: 'request-event-as-access',
    says: 'Raises an access event for a request that is invalid.',
    breaks: 'an invalid opcode raises IBV_EVENT_QP_REQ_ERR',
    statements: ['ee-req-err-general', 'ee-req-err-bad-opcode'],
  },
] as const satisfies readonly Mutant[];
