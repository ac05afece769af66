/** Generated from spec/machines/attributes/machine.yaml by `npm run generate`; do not edit. */

/** State of the machine attributes; `start` of the machine gives every variable its first value. */
export class AttributesVariables {
  /** state of the QP, as software asked for it or a query reported */
  qpState: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR' = 'RESET';
  /** packets and posts seen when that was known for sure */
  knownAt: number = -1;
  /** in SQD, something may still be under way */
  draining: boolean = false;
  /** when the last IBV_EVENT_SQ_DRAINED came (nanoseconds; -1: unknown) */
  drainedAt: number = -1;
  /** nothing was sent since the QP left RESET */
  idle: boolean = false;
  /** timeout that was set last since the QP left RESET (-1: unknown) */
  timeoutSet: number = -1;
  /** likewise, retry_cnt (-1: unknown) */
  retryCntSet: number = -1;
  /** likewise, rnr_retry (-1: unknown) */
  rnrRetrySet: number = -1;
  /** likewise, min_rnr_timer (-1: unknown) */
  minRnrTimerSet: number = -1;
  /** likewise, max_rd_atomic (-1: unknown) */
  maxRdAtomicSet: number = -1;
  /** likewise, max_dest_rd_atomic (-1: unknown) */
  maxDestRdAtomicSet: number = -1;
  /** likewise, path_mtu (-1: unknown) */
  pathMtuSet: number = -1;
  /** likewise, dest_qp_num (-1: unknown) */
  destQpNumSet: number = -1;
  /** dest_qp_num was set together with a value that may be refused */
  destQpNumBeyond: boolean = false;
  /** likewise, rq_psn (-1: unknown) */
  rqPsnSet: number = -1;
  /** likewise, sq_psn (-1: unknown) */
  sqPsnSet: number = -1;
  /** packets and posts seen when rq_psn was set (-1: unknown) */
  rqPsnAt: number = -1;
  /** bits of the rights that the far end was given last (-1: unknown) */
  rightsSet: number = -1;
  /** port_num that was set last, of a QP without an alternate path (-1: unknown) */
  portNumSet: number = -1;
  /** likewise, pkey_index (-1: unknown) */
  pkeyIndexSet: number = -1;
  /** Q_Key that was set last (-1: unknown) */
  qkeySet: number = -1;
  /** timeout of the alternate path, which is the QP's own once it has migrated (-1: unknown) */
  alternateTimeout: number = -1;
}

/** What its expressions read of an event. */
export interface AttributesInputs {
  /** service of the QP */
  readonly service: 'RC' | 'UC' | 'UD';
  readonly device: {
    /** packets and posts seen so far */
    readonly activity: number;
    /** smallest effective code of the ACK timeout but 0 */
    readonly minTimeout: number;
    /** max_qp_init_rd_atom (-1: unknown) */
    readonly initiatorDepth?: number | undefined;
    /** max_qp_rd_atom (-1: unknown) */
    readonly destinationDepth?: number | undefined;
    /** the device has declared that it has ATOMICs */
    readonly atomics: boolean;
    /** local_ca_ack_delay that it gives */
    readonly ackDelay: number;
  };
  readonly call: {
    /** attributes of ibv_modify_qp */
    readonly attributes: number;
    /** it asks for a state */
    readonly moves: boolean;
    /** that state, or the one it is in */
    readonly qp_state: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR';
    /** state that the caller takes it to be in (undefined: unknown) */
    readonly cur_qp_state?: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR' | undefined;
    /** the call failed */
    readonly refused: boolean;
    /** its error number */
    readonly errno: number;
    /** when it was made (nanoseconds) */
    readonly began: number;
  };
  readonly drained: {
    /** when IBV_EVENT_SQ_DRAINED came (nanoseconds) */
    readonly at: number;
  };
  readonly transition: {
    /** an RC QP has the transition */
    readonly exists: boolean;
  };
  readonly attr: {
    /** value that the call gives (-1: unknown) */
    readonly timeout?: number | undefined;
    /** likewise (-1: unknown) */
    readonly retry_cnt?: number | undefined;
    /** likewise (-1: unknown) */
    readonly rnr_retry?: number | undefined;
    /** likewise (-1: unknown) */
    readonly min_rnr_timer?: number | undefined;
    /** likewise (-1: unknown) */
    readonly max_rd_atomic?: number | undefined;
    /** likewise (-1: unknown) */
    readonly max_dest_rd_atomic?: number | undefined;
    /** likewise (-1: unknown) */
    readonly path_mtu?: number | undefined;
    /** likewise (-1: unknown) */
    readonly dest_qp_num?: number | undefined;
    /** likewise (-1: unknown) */
    readonly rq_psn?: number | undefined;
    /** likewise (-1: unknown) */
    readonly sq_psn?: number | undefined;
    /** likewise (-1: unknown) */
    readonly pkey_index?: number | undefined;
    /** likewise (-1: unknown) */
    readonly port_num?: number | undefined;
    /** likewise, bits of what it allows the far end (-1: unknown) */
    readonly rights?: number | undefined;
    /** likewise (-1: unknown) */
    readonly qkey?: number | undefined;
    /** likewise (-1: unknown) */
    readonly alt_timeout?: number | undefined;
    /** it gives an alternate path */
    readonly alternate: boolean;
    /** it allows ATOMICs of the far end */
    readonly remoteAtomic: boolean;
  };
  readonly queried: {
    /** state that ibv_query_qp gives */
    readonly qp_state: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR';
    /** attribute that is looked at */
    readonly attribute:
      | 'timeout'
      | 'retry-cnt'
      | 'rnr-retry'
      | 'min-rnr-timer'
      | 'max-rd-atomic'
      | 'max-dest-rd-atomic'
      | 'path-mtu'
      | 'dest-qp-num'
      | 'rq-psn'
      | 'sq-psn'
      | 'rights'
      | 'port-num'
      | 'pkey-index'
      | 'qkey';
    /** value that it gives (-1: unknown) */
    readonly value?: number | undefined;
  };
}

/** What happens to it that no rule decides. */
export type AttributesStep = 'modified' | 'queried' | 'posted' | 'rested' | 'emptied';

/** Its named values. */
export type AttributesValue = 'sure' | 'sound' | 'set' | 'most' | 'beyond' | 'ofAlternate';
