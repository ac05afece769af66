/** Generated from spec/machines/rc-responder/machine.yaml by `npm run generate`; do not edit. */

/** State of the machine rc-responder; `start` of the machine gives every variable its first value. */
export class RcResponderVariables {
  /** state of the QP */
  qpState: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR' = 'RESET';
  /** state that software last asked for */
  softwareState: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR' = 'RESET';
  /** expected PSN (PSN; -1: unknown) */
  ePsn: number = -1;
  /** messages completed since the trace began */
  msn: number = -1;
  /** MSN on the wire when the trace began (PSN; -1: unknown) */
  msnBase: number = -1;
  /** the retryable NAK that is outstanding */
  nakState: 'none' | 'sequence' | 'rnr' = 'none';
  /** when the wait is over that the newest RNR NAK asks for (nanoseconds) */
  rnrUntil: number = -1;
  /** when the newest request with a fatal fault came (nanoseconds) */
  faultyAt: number = -1;
  /** message of which the last packet has not come (undefined: unknown) */
  message: 'none' | 'send' | 'write' | undefined = undefined;
  /** payload bytes of the open message so far (-1: unknown) */
  received: number = -1;
  /** path MTU in bytes (-1: unknown) */
  pmtu: number = -1;
  /** a request with a fatal fault has reached the QP */
  faulted: boolean = false;
  /** of IBV_EVENT_COMM_EST: no packet yet in RTR; one that may raise it; one that must; it was raised */
  established: 'none' | 'possible' | 'due' | 'seen' = 'none';
  /** PSN of the newest response if that is an Acknowledge (PSN; -1: unknown) */
  lastAck: number = -1;
  /** next receive WQE to take */
  rqHead: number = -1;
  /** behind the newest receive WQE */
  rqTail: number = -1;
  /** of a fatal fault: whether an event must report it to software, or may; none: a completion at most */
  faultBy: 'none' | 'event' | 'either' = 'none';
  /** a completion in error has reported it */
  sawCompletion: boolean = false;
  /** an event has reported it */
  sawEvent: boolean = false;
}

/** What its expressions read of an event. */
export interface RcResponderInputs {
  readonly packet: {
    /** PSN of the request (PSN) */
    readonly psn: number;
    /** bytes of payload: of the request, or of the response that is judged */
    readonly payloadLength: number;
    /** AckReq bit of the BTH */
    readonly ackReq: boolean;
    /** the ICRC is that of its bytes */
    readonly icrcOk: boolean;
    /** DestQP of the BTH */
    readonly destQp: number;
    /** destination address */
    readonly dstIp: string;
    /** transport version of the BTH */
    readonly tver: number;
    /** reserved bits of the BTH beside FECN and BECN */
    readonly resv6: number;
    /** reserved bits of the BTH beside AckReq */
    readonly resv7: number;
    /** solicited event bit of the BTH */
    readonly solicited: boolean;
    /** FECN bit of the BTH */
    readonly fecn: boolean;
  };
  /** when the request came (nanoseconds) */
  readonly arrival: number;
  /** by how much a time may have been longer than the stamps of a capture say (nanoseconds) */
  readonly slack: number;
  readonly opcode: {
    /** what the opcode asks for */
    readonly family: 'send' | 'write' | 'read' | 'atomic' | 'other';
    /** its place in the message */
    readonly position: 'first' | 'middle' | 'last' | 'only';
    /** it carries immediate data */
    readonly immediate: boolean;
  };
  /** payload or pad bytes stand behind the headers of the request */
  readonly filled: boolean;
  /** the service bits of the opcode are those of the QP */
  readonly serviceMatches: boolean;
  /** the P_Key is that of the QP as far as that is known */
  readonly samePartition: boolean;
  /** the packet is for an address that the device has, or may have */
  readonly addressed: boolean;
  /** DMALen of the message that the packet belongs to (-1: unknown) */
  readonly announced?: number | undefined;
  /** the packet carries an RETH */
  readonly announces: boolean;
  /** address of an ATOMIC, modulo 8 */
  readonly misalignment: number;
  /** the opcode byte has a meaning */
  readonly defined: boolean;
  /** the device has declared that it lacks the operation */
  readonly lacking: boolean;
  /** qp_access_flags allow the operation (undefined: unknown) */
  readonly allowed?: boolean | undefined;
  /** the device has declared what it can do */
  readonly declared: boolean;
  /** the device has declared that it may be unable to handle a request at any time */
  readonly otherReasons: boolean;
  readonly qp: {
    /** QP number; -1: the device has no such QP */
    readonly qpNumber: number;
    /** the trace shows calls, completions and events */
    readonly verbs: boolean;
    /** QP number that it is connected to (-1: unknown) */
    readonly peerQpNumber?: number | undefined;
    /** READs and ATOMICs that the responder takes at a time (-1: unknown) */
    readonly maxDestRdAtomic?: number | undefined;
    /** bytes of the longest message of the port, as ibv_query_port has said (-1: unknown) */
    readonly maxMessage?: number | undefined;
  };
  /** address of the far end on the path in use (undefined: unknown) */
  readonly farAddress?: string | undefined;
  /** the open message holds a receive WQE */
  readonly holdsWqe: boolean;
  readonly others: {
    /** receive WQEs that other QPs of its SRQ have taken at least */
    readonly least: number;
    /** that they may have taken */
    readonly most: number;
  };
  /** receive WQEs posted so far, to its SRQ if it is on one */
  readonly postedUntil: number;
  /** receive WQEs whose completions need not come and did not */
  readonly returned: number;
  /** bytes of the receive WQE that a SEND holds or would take; if that is one of several of an SRQ, those of the one whose turn it is (-1: unknown) */
  readonly room?: number | undefined;
  /** the most that any of them has (-1: unknown) */
  readonly mostRoom?: number | undefined;
  /** the fewest (-1: unknown) */
  readonly leastRoom?: number | undefined;
  /** READs and ATOMICs that are not answered yet */
  readonly unanswered: number;
  /** fatal fault of the request */
  readonly fault:
    | 'opcode-sequence'
    | 'unsupported'
    | 'resources'
    | 'access'
    | 'misaligned'
    | 'length'
    | 'too-long'
    | 'local-memory'
    | 'elements'
    | 'invalidation';
  readonly attr: {
    /** first PSN that software has the responder expect (PSN; -1: unknown) */
    readonly rq_psn?: number | undefined;
    /** path MTU in bytes (-1: unknown) */
    readonly path_mtu?: number | undefined;
    /** state that software asks for (undefined: unknown) */
    readonly qp_state?: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR' | undefined;
  };
  readonly reply: {
    /** response that was seen */
    readonly kind:
      'ack' | 'sequence-nak' | 'rnr-nak' | 'fatal-nak' | 'read-response' | 'read-middle' | 'atomic-ack';
    /** its PSN (PSN) */
    readonly psn: number;
    /** MSN of its AETH (PSN; -1: unknown) */
    readonly msn?: number | undefined;
    /** time that an RNR NAK asks to wait (nanoseconds) */
    readonly wait: number;
    /** its syndrome or NAK code is one that RC does not have */
    readonly reserved: boolean;
    /** receive WQEs that its syndrome offers (-1: unknown) */
    readonly credits?: number | undefined;
    /** of a READ response, its place by its opcode */
    readonly position: 'first' | 'middle' | 'last' | 'only';
  };
  /** when it was seen (nanoseconds) */
  readonly seenAt: number;
  /** of a READ response, its place by its PSN; that of the first is 0 */
  readonly readIndex: number;
  readonly answered: {
    /** the request that it answers had been carried out before */
    readonly repeat: boolean;
    /** messages completed with that request (-1: unknown) */
    readonly msn?: number | undefined;
    /** messages completed before it (-1: unknown) */
    readonly msnBefore?: number | undefined;
    /** messages completed with the newest request that the PSN of an Acknowledge answers; 0 of others */
    readonly newestMsn: number;
    /** READs accepted behind it whose responses are pending */
    readonly readsBehind: number;
    /** READ responses that the request has (-1: unknown) */
    readonly responses?: number | undefined;
    /** bytes in all of them */
    readonly length: number;
    /** the READ ends by a NAK in place of a response */
    readonly failsMidway: boolean;
    /** it answers a SEND or WRITE that was carried out before */
    readonly duplicate: boolean;
    /** PSN of the newest request that it may answer (PSN) */
    readonly newestPsn: number;
    /** next receive WQE to take when the request was looked at */
    readonly rqHead: number;
    /** the NAK was due with the expected PSN, which was unknown */
    readonly anyPsn: boolean;
    /** it is the newest READ, whose number of responses was unknown */
    readonly newestRead: boolean;
  };
  /** the request behind the PSN of the response was a READ or ATOMIC */
  readonly stopsShort: boolean;
  /** the QP takes its receive WQEs from an SRQ */
  readonly onSrq: boolean;
  /** bytes from the beginning of a READ to the end of the region (-1: unknown) */
  readonly readableBytes?: number | undefined;
  readonly completed: {
    /** messages that requests seen since may have completed */
    readonly since: number;
    /** those of them that the response completes for sure */
    readonly until: number;
  };
  readonly due: {
    /** what has consumed the receive WQE of a completion */
    readonly kind: 'message' | 'flush' | 'none';
    /** bytes that it must report */
    readonly length: number;
    /** immediate data that it must report (-1: unknown) */
    readonly immediate?: number | undefined;
    /** R_Key that it must report as invalidated (-1: unknown) */
    readonly invalidated?: number | undefined;
    /** its opcode: IBV_WC_RECV or IBV_WC_RECV_RDMA_WITH_IMM */
    readonly opcode: 'receive' | 'receive-write';
  };
  readonly wc: {
    /** bytes that a receive completion reports (-1: unknown) */
    readonly byte_len?: number | undefined;
    /** immediate data that it reports (-1: unknown) */
    readonly imm_data?: number | undefined;
    /** R_Key that it reports as invalidated (-1: unknown) */
    readonly invalidated_rkey?: number | undefined;
    /** its opcode: IBV_WC_SEND, IBV_WC_RDMA_WRITE, IBV_WC_RECV, IBV_WC_RECV_RDMA_WITH_IMM or another one (undefined: unknown) */
    readonly kind?: 'send' | 'write' | 'receive' | 'receive-write' | 'other' | undefined;
  };
  /** it is the oldest that is due */
  readonly inOrder: boolean;
  /** the completion or event came */
  readonly came: boolean;
}

/** What happens to it that no rule decides. */
export type RcResponderStep =
  | 'modified'
  | 'requesterFailed'
  | 'posted'
  | 'flushed'
  | 'returned'
  | 'faultFound'
  | 'faultTaken'
  | 'faultCompleted'
  | 'faultRaised'
  | 'faultGivenUp'
  | 'seenMidway'
  | 'establishedRaised'
  | 'responded'
  | 'caughtUp';

/** Its named values. */
export type RcResponderValue =
  | 'longest'
  | 'offset'
  | 'total'
  | 'starts'
  | 'ends'
  | 'readResponses'
  | 'psns'
  | 'takesReceive'
  | 'mayTake'
  | 'wqeWaits'
  | 'wqeSurelyWaits'
  | 'mayBeAnew'
  | 'misfit'
  | 'newestPsn'
  | 'readableResponses'
  | 'readPosition'
  | 'readLength'
  | 'readFits'
  | 'readEnds'
  | 'leastMsn'
  | 'mostMsn'
  | 'msnImpossible'
  | 'mayStay'
  | 'awaitsFaultEvent'
  | 'faultUnreported'
  | 'awaitsEvent'
  | 'eventOpen'
  | 'eventUnjudged'
  | 'eventDue'
  | 'eventRefrained';
