/** Generated from spec/machines/ooo/machine.yaml by `npm run generate`; do not edit. */

/** State of the machine ooo; `start` of the machine gives every variable its first value. */
export class OooVariables {
  /** expected PSN, that of the first packet that has not arrived (PSN) */
  ePsn: number = -1;
  /** messages completed (PSN) */
  msn: number = -1;
  /** recv_WQE_SN of the receive WQE that is consumed next (PSN) */
  consumedReceives: number = -1;
  /** that WQE, by its place in the queue */
  nextReceive: number = -1;
  /** read_WQE_SN of the READ or ATOMIC that is executed next (PSN) */
  executedReads: number = -1;
  /** a fatal fault or failure has ended its work */
  faulted: boolean = false;
  /** oldest PSN that is not acknowledged (PSN) */
  una: number = -1;
  /** behind the newest PSN ever sent (PSN) */
  end: number = -1;
  /** behind the PSNs of all that is posted (PSN) */
  postedEnd: number = -1;
  /** MSN when all that is posted is complete (PSN) */
  postedMsn: number = -1;
  /** recv_WQE_SN of the next message posted that consumes (PSN) */
  postedReceives: number = -1;
  /** read_WQE_SN of the next READ or ATOMIC that is posted (PSN) */
  postedReads: number = -1;
  /** newest MSN of a response (PSN) */
  acknowledgedMsn: number = -1;
  /** what must be acknowledged for recovery to end (PSN; -1: unknown) */
  recovery: number = -1;
  /** recoveries begun and ended; in each a packet is resent once */
  recoveryRound: number = -1;
  /** what has been sent again is not known */
  recoveryUnsure: boolean = false;
  /** times that the timer has surely run out since progress */
  timeoutsLeast: number = -1;
  /** times that it may have */
  timeoutsMost: number = -1;
  /** times that it may have before that progress */
  timeoutsBefore: number = -1;
  /** RNR NAKs that surely count since the last progress */
  rnrNaksLeast: number = -1;
  /** RNR NAKs that may count */
  rnrNaksMost: number = -1;
  /** RNR NAKs that may have counted before that progress */
  rnrNaksBefore: number = -1;
  /** when a response last brought progress (nanoseconds; -1: unknown) */
  progressed: number = -1;
  /** when one had before (nanoseconds; -1: unknown) */
  progressedBefore: number = -1;
  /** oldest PSN that the newest RNR NAK refuses (PSN; -1: unknown) */
  rnrFrom: number = -1;
  /** behind the newest PSN that it refuses (PSN) */
  rnrEnd: number = -1;
  /** when it came (nanoseconds) */
  rnrCame: number = -1;
  /** when its wait may be over; unknown: it may be over now (nanoseconds; -1: unknown) */
  rnrUntil: number = -1;
  /** when its wait is over at the latest (nanoseconds) */
  rnrLatest: number = -1;
  /** from when on the timer may run beside it (nanoseconds) */
  rnrTimerFrom: number = -1;
  /** why a packet was refused for good */
  refusal: 'none' | 'invalid-request' | 'remote-access-error' | 'remote-operational-error' | 'rnr-retries' =
    'none';
  /** that packet (PSN; -1: unknown) */
  refused: number = -1;
  /** since when retry_cnt may be used up (nanoseconds; -1: unknown) */
  retriesGone: number = -1;
  /** since when rnr_retry may be used up (nanoseconds; -1: unknown) */
  rnrRetriesGone: number = -1;
  /** a work request has failed */
  failed: boolean = false;
  /** retransmission timer, from the newest packet sent or the last progress: the earliest instant from which it may count (nanoseconds; -1: it does not run) */
  rtoEarliest = -1;
  /** likewise, the latest */
  rtoLatest = -1;
}

/** What its expressions read of an event. */
export interface OooInputs {
  readonly packet: {
    /** PSN of a packet (PSN) */
    readonly psn: number;
    /** its ICRC is that of its bytes */
    readonly icrcOk: boolean;
    /** transport version of its BTH */
    readonly tver: number;
    /** reserved bits of the BTH beside FECN and BECN */
    readonly resv6: number;
    /** reserved bits of the BTH beside AckReq */
    readonly resv7: number;
    /** QP number that it is for */
    readonly destQp: number;
    /** its source address */
    readonly srcIp: string;
    /** address that it is for */
    readonly dstIp: string;
    /** its AckReq bit */
    readonly ackReq: boolean;
    /** its solicited event bit */
    readonly solicited: boolean;
    /** R_Key that it is to invalidate, where it has one (-1: unknown) */
    readonly invalidateRkey?: number | undefined;
    /** bytes of payload */
    readonly payloadLength: number;
    /** its pad count */
    readonly padCount: number;
    /** immediate data of it, where it has some (-1: unknown) */
    readonly immediate?: number | undefined;
  };
  /** the opcode is one of an out-of-order QP */
  readonly serviceMatches: boolean;
  /** the packet is for an address that the device has, or may have */
  readonly addressed: boolean;
  /** the P_Key is that of the QP */
  readonly samePartition: boolean;
  readonly opcode: {
    /** what the packet is a part of */
    readonly family: 'send' | 'write' | 'read' | 'atomic' | 'other';
    /** it carries immediate data */
    readonly immediate: boolean;
    /** it is the first of its message */
    readonly starts: boolean;
    /** it is the last of its message */
    readonly ends: boolean;
  };
  readonly shape: {
    /** what the opcode of a request asks for */
    readonly family: 'send' | 'write' | 'read' | 'atomic' | 'other';
    /** it is the first of its message */
    readonly starts: boolean;
    /** it is the last of its message */
    readonly ends: boolean;
    /** what it carries besides */
    readonly carries: 'nothing' | 'immediate' | 'invalidate';
    /** it is CompareSwap */
    readonly swaps: boolean;
  };
  readonly target: {
    /** R_Key and, of an ATOMIC, operands are those of the work request */
    readonly asPosted: boolean;
    /** where the memory begins that it names, from that of the work request on */
    readonly beyond: number;
    /** bytes that it names */
    readonly length: number;
  };
  readonly number: {
    /** recv_WQE_SN that it carries (PSN; -1: unknown) */
    readonly receive?: number | undefined;
    /** read_WQE_SN that it carries (PSN; -1: unknown) */
    readonly read?: number | undefined;
    /** offset that it carries (-1: unknown) */
    readonly offset?: number | undefined;
  };
  readonly qp: {
    /** state of the QP */
    readonly state: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR';
    /** QP number of the far end (-1: unknown) */
    readonly peerQpNumber?: number | undefined;
    /** address of the far end (undefined: unknown) */
    readonly peerAddress?: string | undefined;
  };
  readonly queue: {
    /** receive WQEs posted so far */
    readonly length: number;
  };
  readonly window: {
    /** the packet has arrived before and waits for one in front of it */
    readonly holds: boolean;
    /** packets that have arrived and wait for one in front of them */
    readonly others: number;
  };
  readonly record: {
    /** it was executed and is among the last max_dest_rd_atomic */
    readonly kept: boolean;
  };
  readonly buffer: {
    /** its buffer is in part that of an older message not complete */
    readonly overlaps: boolean;
    /** bytes of the receive WQE of a SEND, if that is posted (-1: unknown) */
    readonly length?: number | undefined;
    /** the part of it that the packet is for may be used */
    readonly usable: boolean;
    /** all of it may be */
    readonly sound: boolean;
  };
  readonly remote: {
    /** bytes that it names */
    readonly length: number;
    /** qp_access_flags allow what the packet asks for */
    readonly allowed: boolean;
    /** the address is a multiple of 8, or it is no ATOMIC */
    readonly aligned: boolean;
    /** R_Key, PD, bounds and rights of the memory that it names allow it */
    readonly granted: boolean;
  };
  readonly due: {
    /** bytes of a message whose receive completion has not been seen */
    readonly length: number;
    /** what the completion says that it was */
    readonly kind: 'receive' | 'receive-write';
    /** its immediate data (-1: unknown) */
    readonly immediate?: number | undefined;
    /** R_Key that it has invalidated (-1: unknown) */
    readonly invalidated?: number | undefined;
  };
  readonly wc: {
    /** bytes that a completion tells (-1: unknown) */
    readonly byte_len?: number | undefined;
    /** what it says that it was, by its opcode (undefined: unknown) */
    readonly kind?: 'send' | 'write' | 'receive' | 'receive-write' | 'other' | undefined;
    /** its opcode is that of the work request, or not known */
    readonly asPosted: boolean;
    /** its immediate data (-1: unknown) */
    readonly imm_data?: number | undefined;
    /** R_Key that it tells as invalidated (-1: unknown) */
    readonly invalidated_rkey?: number | undefined;
  };
  readonly arrival: {
    /** place in the queue of the receive WQE of a message that is complete */
    readonly receive: number;
  };
  readonly trigger: {
    /** PSN of the packet that an Acknowledge names as its cause (PSN) */
    readonly psn: number;
    /** it has arrived */
    readonly came: boolean;
  };
  readonly reply: {
    /** MSN of a response of the QP (PSN; -1: unknown) */
    readonly msn?: number | undefined;
    /** it is the first part of an answer */
    readonly starts: boolean;
    /** it is the last part of an answer */
    readonly ends: boolean;
  };
  readonly answered: {
    /** read_WQE_SN of the READ or ATOMIC that it answers (PSN) */
    readonly number: number;
    /** bytes of the whole answer; an ATOMIC has none */
    readonly length: number;
    /** bytes of it that have been sent */
    readonly sent: number;
    /** MSN with the READ or ATOMIC counted that it answers (PSN) */
    readonly msn: number;
  };
  readonly call: {
    /** first PSN, as ibv_modify_qp sets it (PSN) */
    readonly psn: number;
  };
  readonly profile: {
    /** packets that the responder keeps track of (-1: unknown) */
    readonly window?: number | undefined;
    /** what fences there are (undefined: unknown) */
    readonly fence?: 'indicator' | 'guard' | 'application' | undefined;
    /** how it recovers lost packets; unless it says otherwise like IRN */
    readonly recovery: 'irn' | 'own';
    /** packets that may be under way (-1: unknown) */
    readonly cap?: number | undefined;
    /** timeout with few packets in flight (nanoseconds; -1: unknown) */
    readonly low?: number | undefined;
    /** timeout with more (nanoseconds; -1: unknown) */
    readonly high?: number | undefined;
    /** packets in flight that are no longer few (-1: unknown) */
    readonly few?: number | undefined;
  };
  readonly device: {
    /** time after which the device has looked at a response (nanoseconds) */
    readonly grace: number;
  };
  readonly attr: {
    /** code of the ACK timeout; 0: there is no timer */
    readonly timeout: number;
    /** retries after a timeout */
    readonly retry_cnt: number;
    /** retries after an RNR NAK */
    readonly rnr_retry: number;
    /** READs and ATOMICs that may be unanswered */
    readonly max_rd_atomic: number;
    /** READs and ATOMICs that the responder takes at a time */
    readonly max_dest_rd_atomic: number;
    /** path MTU in bytes; 0: not known */
    readonly path_mtu: number;
  };
  /** a work request was posted for the packet or completion */
  readonly posted: boolean;
  readonly work: {
    /** kind of that work request */
    readonly kind: 'send' | 'write' | 'read' | 'atomic';
    /** it has immediate data */
    readonly immediate: boolean;
    /** what its last packet carries besides */
    readonly carries: 'nothing' | 'immediate' | 'invalidate';
    /** it is IBV_WR_ATOMIC_CMP_AND_SWP */
    readonly swaps: boolean;
    /** its immediate data; 0 if there are none */
    readonly imm_data: number;
    /** IBV_SEND_SOLICITED */
    readonly solicited: boolean;
    /** R_Key of the far end that it is to invalidate (-1: unknown) */
    readonly invalidates?: number | undefined;
    /** its bytes */
    readonly length: number;
    /** its first PSN (PSN) */
    readonly psn: number;
    /** its request packets */
    readonly packets: number;
    /** MSN that counts it (PSN) */
    readonly msn: number;
    /** recv_WQE_SN of what it consumes (PSN) */
    readonly receiveNumber: number;
    /** read_WQE_SN, if it is a READ or ATOMIC (PSN) */
    readonly readNumber: number;
    /** IBV_SEND_SIGNALED */
    readonly signaled: boolean;
    /** no data of a READ or ATOMIC are missing */
    readonly answered: boolean;
    /** work requests before it: all are retired; one is not; or one that asked for a completion has none */
    readonly before: 'retired' | 'pending' | 'unreported';
    /** READs and ATOMICs before it, from the oldest on of which data are missing: the responder keeps only so many */
    readonly readsBefore: number;
    /** READs and ATOMICs before it of which data are missing */
    readonly unansweredBefore: number;
    /** work requests before it that nothing has retired */
    readonly pendingBefore: number;
    /** those of them that name some of the same remote memory */
    readonly overlapsBefore: number;
  };
  readonly sent: {
    /** PSN of a request packet of the QP (PSN) */
    readonly psn: number;
    /** it was sent, and is neither acknowledged nor, of a READ or ATOMIC, answered */
    readonly open: boolean;
    /** it is acknowledged selectively */
    readonly selected: boolean;
    /** one behind it is acknowledged selectively */
    readonly overtaken: boolean;
    /** it was sent again in this round of recovery */
    readonly again: boolean;
    /** it was acknowledged late; it was about to be sent again */
    readonly late: boolean;
    /** it is the oldest one open */
    readonly oldest: boolean;
    /** an RNR NAK refused it whose wait may be over */
    readonly refused: boolean;
    /** likewise, and it was not sent again since */
    readonly refusedOnce: boolean;
  };
  readonly flight: {
    /** packets in flight */
    readonly open: number;
    /** the work request that is next waits for earlier ones, or may */
    readonly held: boolean;
    /** one of them counts as lost and was not sent again */
    readonly lost: boolean;
    /** nothing is open, and a work request waits to be retired */
    readonly waits: boolean;
  };
  readonly response: {
    /** packets before its PSN, or up to it */
    readonly acknowledges: 'before' | 'through';
    /** the time that its timer code names (nanoseconds) */
    readonly wait: number;
    /** its MSN (PSN; -1: unknown) */
    readonly msn?: number | undefined;
    /** PSN that it acknowledges selectively (PSN; -1: unknown) */
    readonly selected?: number | undefined;
    /** that PSN was acknowledged selectively before */
    readonly again: boolean;
  };
  /** why a packet is refused for good */
  readonly cause: 'invalid-request' | 'remote-access-error' | 'remote-operational-error' | 'rnr-retries';
  /** when it happened, and the earliest that it can have happened (nanoseconds) */
  readonly now: number;
  readonly earliest: number;
  /** how late what is due may be seen (nanoseconds) */
  readonly slack: number;
  /** how long the device has surely been running since then (nanoseconds) */
  readonly ran: (since: number) => number;
}

/** What happens to it that no rule decides. */
export type OooStep =
  | 'receives'
  | 'forgetsReceives'
  | 'arrived'
  | 'executed'
  | 'consumed'
  | 'requesterFailed'
  | 'sends'
  | 'posted'
  | 'sentNew'
  | 'sent'
  | 'sendsOn'
  | 'acknowledged'
  | 'released'
  | 'selected'
  | 'counted'
  | 'progressed'
  | 'timedOut'
  | 'mayHaveTimedOut'
  | 'mayHaveProgressed'
  | 'notReady'
  | 'waits'
  | 'mayBeSpent'
  | 'rnrMayBeSpent'
  | 'refused'
  | 'failed';

/** Its named values. */
export type OooValue =
  | 'sound'
  | 'timeout'
  | 'longestTimeout'
  | 'unheard'
  | 'heard'
  | 'idle'
  | 'early'
  | 'overdue'
  | 'ranOut'
  | 'timeouts'
  | 'rnrNaks'
  | 'retriesSpent'
  | 'rnrUnlimited'
  | 'rnrSpent'
  | 'rnrLongest'
  | 'rnrOver'
  | 'rnrWaiting'
  | 'rnrKeeps'
  | 'rnrHolds'
  | 'resumes'
  | 'acknowledged'
  | 'gains'
  | 'selects'
  | 'counts'
  | 'unsolicited'
  | 'stale'
  | 'lost'
  | 'lostOnce'
  | 'goesAgain'
  | 'fetches'
  | 'consumes'
  | 'packets'
  | 'last'
  | 'offset'
  | 'segment'
  | 'counted'
  | 'acked'
  | 'retired'
  | 'mayRetire'
  | 'opcodeAsPosted'
  | 'progresses'
  | 'takesReceive'
  | 'receive'
  | 'shapeFits'
  | 'reach'
  | 'targetFits'
  | 'fragment'
  | 'rto phase';
