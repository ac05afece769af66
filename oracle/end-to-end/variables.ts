/** Generated from spec/machines/end-to-end/machine.yaml by `npm run generate`; do not edit. */

/** State of the machine end-to-end; `start` of the machine gives every variable its first value. */
export class EndToEndVariables {
  /** state of the QP as software asked for it, or as work that failed left it */
  qpState: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR' = 'RESET';
  /** its work failed by something that the device may notice after it has sent what comes behind (undefined: unknown) */
  failedLate: boolean | undefined = undefined;
  /** software took the QP out of service */
  muted: boolean = false;
}

/** What its expressions read of an event. */
export interface EndToEndInputs {
  readonly work: {
    /** what the work request asks for */
    readonly asked: 'send' | 'send-immediate' | 'write' | 'write-immediate' | 'read' | 'atomic';
    /** its opcode is none of libibverbs */
    readonly raw: boolean;
    /** bytes of its scatter or gather list */
    readonly length: number;
    /** its data were taken when it was posted */
    readonly inline: boolean;
    /** its scatter or gather list names memory that it may use */
    readonly usable: boolean;
    /** address that it aims at, modulo 8 */
    readonly misalignment: number;
    /** Q_Key that it gives */
    readonly qkey: number;
  };
  readonly port: {
    /** bytes of the longest datagram of the requester's port (-1: unknown) */
    readonly active_mtu?: number | undefined;
    /** bytes of its longest message (-1: unknown) */
    readonly max_msg_sz?: number | undefined;
  };
  readonly own: {
    /** service of the requester's QP */
    readonly service: 'RC' | 'UC' | 'UD';
    /** its Q_Key (-1: unknown) */
    readonly qkey?: number | undefined;
    /** READs and ATOMICs that it may have under way at a time (-1: unknown) */
    readonly maxRdAtomic?: number | undefined;
  };
  readonly peer: {
    /** the QP aimed at exists */
    readonly found: boolean;
    /** its service */
    readonly service: 'RC' | 'UC' | 'UD';
    /** its state */
    readonly state: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR';
    /** it is connected to the requester's QP */
    readonly connected: boolean;
    /** its Q_Key (-1: unknown) */
    readonly qkey?: number | undefined;
    /** its qp_access_flags allow the operation */
    readonly allows: boolean;
    /** READs and ATOMICs that it takes at a time */
    readonly maxDestRdAtomic: number;
    /** its device has declared that it may be unable to handle a request at any time */
    readonly otherReasons: boolean;
  };
  readonly receive: {
    /** a receive WQE waits at the QP aimed at */
    readonly waits: boolean;
    /** bytes of the oldest one */
    readonly room: number;
    /** the oldest one names memory that it may use */
    readonly usable: boolean;
  };
  readonly target: {
    /** the R_Key is that of a memory region */
    readonly alive: boolean;
    /** of the PD of the QP aimed at */
    readonly samePd: boolean;
    /** in which all bytes that the work request names lie */
    readonly inside: boolean;
    /** in which the bytes of its first packet lie */
    readonly begins: boolean;
    /** and which allows the operation */
    readonly grants: boolean;
  };
  readonly seen: {
    /** the work request has failed with IBV_WC_RNR_RETRY_EXC_ERR */
    readonly rnr: boolean;
  };
  readonly attr: {
    /** state that software asks for */
    readonly qp_state: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR';
  };
}

/** What happens to it that no rule decides. */
export type EndToEndStep = 'modified';

/** Its named values. */
export type EndToEndValue =
  | 'longest'
  | 'grh'
  | 'portMost'
  | 'most'
  | 'sends'
  | 'fetches'
  | 'serves'
  | 'refusedHere'
  | 'failsHere'
  | 'leaves'
  | 'receives'
  | 'reached'
  | 'sentQkey'
  | 'wrongQkey'
  | 'arrives'
  | 'lacksReceive'
  | 'short'
  | 'wrongReceive'
  | 'lacksRight'
  | 'lacksResources'
  | 'givenUp'
  | 'misaligned'
  | 'opens'
  | 'lacksAccess'
  | 'leavesRegion'
  | 'heldBack'
  | 'works'
  | 'sendsFlushed'
  | 'receivesFlushed';
