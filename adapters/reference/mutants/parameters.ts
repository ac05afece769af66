import type { Mutant } from './table.ts';

const breaksRequired = 'a transition that lacks a required attribute is refused';
const breaksForeign = 'a call with an attribute that its transition does not take is refused';
const breaksRange = 'a value out of range is refused or cut';
const breaksBounds = 'every value in the range of a parameter is taken';
const breaksQuery = 'ibv_query_qp gives the value that was set last';

/** Faults in what ibv_modify_qp takes, and in what the queries give back. */
export const parameters = [
  {
    id: 'rtr-without-min-rnr-timer',
    says: 'Goes to RTR without min_rnr_timer.',
    breaks: breaksRequired,
    statements: ['rc-parameter-transition-table'],
  },
  {
    id: 'rtr-without-max-dest-rd-atomic',
    says: 'Goes to RTR without max_dest_rd_atomic.',
    breaks: breaksRequired,
    statements: ['rc-max-dest-rd-atomic-at-rtr'],
  },
  {
    id: 'rts-without-timeout',
    says: 'Goes to RTS without timeout.',
    breaks: breaksRequired,
    statements: ['rc-parameter-transition-table'],
  },
  {
    id: 'rts-without-retry-cnt',
    says: 'Goes to RTS without retry_cnt.',
    breaks: breaksRequired,
    statements: ['rc-parameter-transition-table', 'rx-local-retry-count-by-modify-qp'],
  },
  {
    id: 'rts-without-rnr-retry',
    says: 'Goes to RTS without rnr_retry.',
    breaks: breaksRequired,
    statements: ['rc-parameter-transition-table', 'rc-rnr-retry-set-on-requester'],
  },
  {
    id: 'rts-without-max-rd-atomic',
    says: 'Goes to RTS without max_rd_atomic.',
    breaks: breaksRequired,
    statements: ['rc-max-rd-atomic-at-rts'],
  },
  {
    id: 'first-psn-not-required',
    says: 'Goes to RTR without rq_psn, and to RTS without sq_psn.',
    breaks: breaksRequired,
    statements: ['rc-psn-counters-track-progress'],
  },
  {
    id: 'path-not-required',
    says: 'Goes to INIT and RTR without the attributes of port and path.',
    breaks: breaksRequired,
    statements: ['rc-parameter-transition-table'],
  },
  {
    id: 'requester-attributes-anywhere',
    says: 'Takes timeout, retry_cnt, rnr_retry, sq_psn and max_rd_atomic at every transition.',
    breaks: breaksForeign,
    statements: ['rc-parameter-transition-table', 'rc-max-rd-atomic-at-rts'],
  },
  {
    id: 'responder-attributes-anywhere',
    says: 'Takes rq_psn and max_dest_rd_atomic at every transition.',
    breaks: breaksForeign,
    statements: ['rc-max-dest-rd-atomic-at-rtr'],
  },
  {
    id: 'min-rnr-timer-anywhere',
    says: 'Takes min_rnr_timer at every transition.',
    breaks: breaksForeign,
    statements: ['rc-parameter-transition-table'],
  },
  {
    id: 'path-attributes-anywhere',
    says: 'Takes the attributes of port, path and access at every transition.',
    breaks: breaksForeign,
    statements: [],
  },
  {
    id: 'kept-state-unchecked',
    says: 'Holds a call against the transitions only if it names a state (rxe of Linux 6.12).',
    breaks: breaksForeign,
    statements: ['rc-parameter-transition-table'],
  },
  {
    id: 'transition-unchecked',
    says: 'Goes from any state to any other, as long as its attributes are given.',
    breaks: 'a QP goes only the ways that an RC QP has',
    statements: ['rc-parameter-transition-table'],
  },
  {
    id: 'refused-as-unsupported',
    says: 'Refuses with EOPNOTSUPP what EINVAL is for.',
    breaks: 'a wrong call fails with EINVAL',
    statements: ['rc-parameter-transition-table'],
  },
  {
    id: 'refused-call-applied',
    says: 'Keeps the parameters of a call that it refuses.',
    breaks: 'a refused call changes nothing',
    statements: [],
  },
  {
    id: 'drain-missing',
    says: 'Refuses to go to SQD.',
    breaks: 'every transition of an RC QP is taken',
    statements: [],
  },
  {
    id: 'rights-fixed-in-init',
    says: 'Refuses qp_access_flags once the QP has left INIT.',
    breaks: 'attributes are taken where the transition allows them',
    statements: ['rc-parameter-transition-table'],
  },
  {
    id: 'min-rnr-timer-once',
    says: 'Refuses min_rnr_timer once the QP has left INIT.',
    breaks: 'parameters are taken where the transition allows them',
    statements: ['rc-parameter-transition-table'],
  },
  {
    id: 'retry-parameters-once',
    says: 'Refuses timeout, retry_cnt, rnr_retry and max_rd_atomic in SQD.',
    breaks: 'parameters are taken where the transition allows them',
    statements: ['rc-parameter-transition-table'],
  },
  {
    id: 'timeout-31-refused',
    says: 'Refuses timeout 31.',
    breaks: breaksBounds,
    statements: ['rx-local-ack-timeout-field'],
  },
  {
    id: 'retry-cnt-0-refused',
    says: 'Refuses retry_cnt 0.',
    breaks: breaksBounds,
    statements: ['rc-retry-cnt-3bit', 'rx-retry-counter-3bit-initial', 'rx-counter-width-3bit'],
  },
  {
    id: 'rnr-retry-7-refused',
    says: 'Refuses rnr_retry 7.',
    breaks: breaksBounds,
    statements: ['rc-rnr-retry-3bit', 'rx-counter-width-3bit'],
  },
  {
    id: 'min-rnr-timer-0-refused',
    says: 'Refuses min_rnr_timer 0.',
    breaks: breaksBounds,
    statements: ['rc-min-rnr-timer-5bit'],
  },
  {
    id: 'max-dest-rd-atomic-unlimited',
    says: 'Takes a max_dest_rd_atomic above its limit.',
    breaks: 'depths above the limit of the device are refused',
    statements: ['rc-max-dest-rd-atomic-at-rtr'],
  },
  {
    id: 'max-rd-atomic-unlimited',
    says: 'Takes a max_rd_atomic above its limit.',
    breaks: 'depths above the limit of the device are refused',
    statements: ['rc-max-rd-atomic-at-rts'],
  },
  {
    id: 'timeout-range-unchecked',
    says: 'Takes a timeout above 31 and keeps it whole.',
    breaks: breaksRange,
    statements: ['rx-local-ack-timeout-field'],
  },
  {
    id: 'retry-cnt-range-unchecked',
    says: 'Takes a retry_cnt above 7 and keeps it whole (rxe).',
    breaks: breaksRange,
    statements: ['rc-retry-cnt-3bit', 'rx-retry-counter-3bit-initial', 'rx-counter-width-3bit'],
  },
  {
    id: 'rnr-retry-range-unchecked',
    says: 'Takes an rnr_retry above 7 and keeps it whole (rxe).',
    breaks: breaksRange,
    statements: ['rc-rnr-retry-3bit', 'rx-counter-width-3bit'],
  },
  {
    id: 'min-rnr-timer-range-unchecked',
    says: 'Takes a min_rnr_timer above 31 and keeps it whole (rxe).',
    breaks: breaksRange,
    statements: ['rc-min-rnr-timer-5bit'],
  },
  {
    id: 'min-rnr-timer-set-once',
    says: 'Takes a second min_rnr_timer and goes on with the first.',
    breaks: 'an RNR NAK carries the min_rnr_timer that was set last',
    statements: ['rx-rnr-timer-from-qp-setup', 'rc-min-rnr-timer-sets-interval'],
  },
  {
    id: 'retry-parameters-not-renewed',
    says: 'Takes a second timeout, retry_cnt and rnr_retry, tells of them, and goes on with the first.',
    breaks: 'timeout, retry_cnt and rnr_retry rule that the requester was given last',
    statements: [
      'rc-local-ack-parameters',
      'rx-local-retry-count-by-modify-qp',
      'rc-rnr-retry-set-on-requester',
      'rc-rnr-parameters-on-both-sides',
    ],
  },
  {
    id: 'max-dest-rd-atomic-set-once',
    says: 'Takes a second max_dest_rd_atomic and goes on with the first.',
    breaks: 'a responder takes as many READs and ATOMICs as it was told last',
    statements: ['rc-max-dest-rd-atomic-at-rtr'],
  },
  {
    id: 'min-rnr-timer-off-by-one',
    says: 'Keeps min_rnr_timer minus one.',
    breaks: breaksQuery,
    statements: ['rc-min-rnr-timer-5bit', 'rx-rnr-timer-from-qp-setup', 'rc-rnr-parameters-on-both-sides'],
  },
  {
    id: 'retry-cnt-0-as-default',
    says: 'Takes retry_cnt 0 for "not given", and retries 7 times.',
    breaks: breaksQuery,
    statements: ['rx-local-retry-count-by-modify-qp', 'rc-retry-cnt-3bit', 'rc-local-ack-parameters'],
  },
  {
    id: 'query-timeout-shifted',
    says: 'Gives a timeout that is larger by 10 than the one that was set (hns of HIP08).',
    breaks: breaksQuery,
    statements: ['rx-local-ack-timeout-field', 'rc-local-ack-parameters'],
  },
  {
    id: 'query-rnr-retry-of-retry-cnt',
    says: 'Gives retry_cnt for rnr_retry (hns before Linux 5.10).',
    breaks: breaksQuery,
    statements: ['rc-rnr-retry-set-on-requester', 'rc-rnr-retry-3bit', 'rc-rnr-parameters-on-both-sides'],
  },
  {
    id: 'max-dest-rd-atomic-rounded-down',
    says: 'Has room for the next lower power of two of max_dest_rd_atomic.',
    breaks: 'max_dest_rd_atomic is what was set, or more',
    statements: ['rc-max-dest-rd-atomic-at-rtr'],
  },
  {
    id: 'query-without-peer',
    says: 'Gives 0 for dest_qp_num.',
    breaks: breaksQuery,
    statements: ['rc-ack-goes-to-configured-destination'],
  },
  {
    id: 'ack-delay-in-microseconds',
    says: 'Gives local_ca_ack_delay in microseconds.',
    breaks: 'local_ca_ack_delay is a code of five bits',
    statements: ['rc-local-ca-ack-delay-query'],
  },
] as const satisfies readonly Mutant[];
