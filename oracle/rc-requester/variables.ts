/** Generated from spec/machines/rc-requester/machine.yaml by `npm run generate`; do not edit. */

/** State of the machine rc-requester; `start` of the machine gives every variable its first value. */
export class RcRequesterVariables {
  /** state of the QP */
  qpState: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR' = 'RESET';
  /** oldest PSN that is not acknowledged (PSN) */
  una: number = -1;
  /** behind the newest PSN ever sent, READ responses included (PSN) */
  end: number = -1;
  /** the newest response that acknowledged something left no credits */
  starved: boolean = false;
  /** PSN that comes next; before `end` while packets are sent again (PSN) */
  cursor: number = -1;
  /** oldest work request that is not acknowledged */
  head: number = -1;
  /** behind the newest work request */
  tail: number = -1;
  /** next work request whose completion has not been seen */
  reported: number = -1;
  /** counter of retry_cnt (bit n: it may be n, 0 to 7) */
  retries: number = 1;
  /** counter of rnr_retry (bit n: it may be n, 0 to 7) */
  rnrRetries: number = 1;
  /** newest PSN that calls for a response; unknown if none was sent since the ACK timer stopped (PSN; -1: unknown) */
  asked: number = -1;
  /** PSN behind the newest packet that asked (PSN; -1: unknown) */
  askedUntil: number = -1;
  /** code of the ACK timeout with which the timer began on another path (-1: unknown) */
  timeoutBefore: number = -1;
  /** until when an RNR NAK may keep the QP from sending, as the time that the device has been running (nanoseconds; -1: unknown) */
  heldUntil: number = -1;
  /** packets were sent again since something was last acknowledged */
  repeatedSinceGain: boolean = false;
  /** going back to this PSN or one before is allowed once more, and not called for (PSN; -1: unknown) */
  optional: number = -1;
  /** until when packets that are acknowledged may still leave, as the time that the device has been running (nanoseconds; -1: unknown) */
  queuedUntil: number = -1;
  /** work request with which the QP failed (-1: unknown) */
  failedWork: number = -1;
  /** ACK timer, from the request that calls for a response, or from the last progress: the earliest instant from which it may count (nanoseconds; -1: it does not run) */
  ackEarliest = -1;
  /** likewise, the latest */
  ackLatest = -1;
}

/** What its expressions read of an event. */
export interface RcRequesterInputs {
  readonly packet: {
    /** PSN of the request that is sent, or of the response that came (PSN) */
    readonly psn: number;
    /** QP number that it is for */
    readonly destQp: number;
    /** address that it is for */
    readonly dstIp: string;
    /** bytes of payload */
    readonly payloadLength: number;
    /** immediate data of the request, where it has some (-1: unknown) */
    readonly immediate?: number | undefined;
    /** R_Key that the request is to invalidate, where it has one (-1: unknown) */
    readonly invalidateRkey?: number | undefined;
    /** solicited event bit of the request */
    readonly solicited: boolean;
    /** AckReq bit of the request */
    readonly ackReq: boolean;
    /** the ICRC is that of its bytes */
    readonly icrcOk: boolean;
    /** TVer field of the BTH */
    readonly tver: number;
    /** reserved bits of the BTH beside FECN and BECN */
    readonly resv6: number;
    /** reserved bits of the BTH beside AckReq */
    readonly resv7: number;
  };
  /** the service bits of the opcode are those of the QP */
  readonly serviceMatches: boolean;
  /** the packet is of the partition of the QP, or that is not known */
  readonly samePartition: boolean;
  /** the packet is for an address that the device has, or may have */
  readonly addressed: boolean;
  readonly farEnd: {
    /** QP number of the far end (-1: unknown) */
    readonly qpNumber?: number | undefined;
    /** its address on the path in use (undefined: unknown) */
    readonly address?: string | undefined;
  };
  readonly qp: {
    /** path MTU in bytes */
    readonly pmtu: number;
  };
  readonly opcode: {
    /** what the opcode of the request asks for */
    readonly family: 'send' | 'write' | 'read' | 'atomic' | 'other';
    /** its place in the message */
    readonly position: 'first' | 'middle' | 'last' | 'only';
    /** what it carries besides */
    readonly carries: 'nothing' | 'immediate' | 'invalidate';
    /** it is CompareSwap */
    readonly swaps: boolean;
  };
  readonly target: {
    /** the request has a RETH or an AtomicETH */
    readonly named: boolean;
    /** R_Key and, of an ATOMIC, operands are those of the work request */
    readonly asPosted: boolean;
    /** where the memory begins that it names, from that of the work request on */
    readonly beyond: number;
    /** bytes that it names */
    readonly length: number;
  };
  /** the payload is what the memory held that the work request names */
  readonly bytesAsPosted: boolean;
  readonly first: {
    /** the first copy of the request is not forgotten, and what follows is of it */
    readonly known: boolean;
    /** it has the same opcode */
    readonly opcode: boolean;
    /** it has the same payload */
    readonly payload: boolean;
    /** it has the same immediate data, or both have none */
    readonly immediate: boolean;
    /** it is to invalidate the same R_Key, or both none */
    readonly invalidates: boolean;
    /** it has the same RETH, or both have none */
    readonly reth: boolean;
    /** it has the same AtomicETH, or both have none */
    readonly atomicEth: boolean;
  };
  readonly data: {
    /** kind of request that such a response brings data for */
    readonly kind: 'none' | 'read' | 'atomic';
    /** of a READ response: its place among them */
    readonly position: 'only' | 'first' | 'middle' | 'last';
  };
  readonly readRequest: {
    /** a READ request with the PSN of the response was sent */
    readonly here: boolean;
    /** one of the same work request with an earlier PSN was sent */
    readonly before: boolean;
  };
  readonly attr: {
    /** retries after a timeout or NAK */
    readonly retry_cnt: number;
    /** retries after an RNR NAK */
    readonly rnr_retry: number;
    /** READs and ATOMICs that may be unanswered */
    readonly max_rd_atomic: number;
  };
  readonly call: {
    /** state that ibv_modify_qp asks for (undefined: unknown) */
    readonly qp_state?: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR' | undefined;
    /** first PSN that it sets (PSN; -1: unknown) */
    readonly sq_psn?: number | undefined;
    /** whether it sets retry_cnt or rnr_retry */
    readonly counters: boolean;
  };
  readonly path: {
    /** code of the ACK timeout of the path in use */
    readonly timeout: number;
    /** path migration state */
    readonly state: 'MIGRATED' | 'REARM' | 'ARMED';
  };
  readonly device: {
    /** least code of the ACK timeout that the device takes */
    readonly minTimeout: number;
    /** how long the device has surely been running, stalls left out (nanoseconds) */
    readonly ran: number;
    /** whether the rate may keep the QP from sending */
    readonly held: boolean;
  };
  readonly queue: {
    /** work requests posted so far */
    readonly length: number;
  };
  readonly work: {
    /** work request of the packet or completion, by its place in the send queue (-1: unknown) */
    readonly index?: number | undefined;
    /** its kind */
    readonly kind: 'send' | 'write' | 'read' | 'atomic';
    /** bytes of its list */
    readonly length: number;
    /** what its last packet carries besides */
    readonly carries: 'nothing' | 'immediate' | 'invalidate';
    /** it is IBV_WR_ATOMIC_CMP_AND_SWP */
    readonly swaps: boolean;
    /** immediate data of it (-1: unknown) */
    readonly immediate?: number | undefined;
    /** R_Key of the far end that it is to invalidate (-1: unknown) */
    readonly invalidates?: number | undefined;
    /** its first PSN (PSN) */
    readonly psn: number;
    /** first PSN behind it (PSN) */
    readonly end: number;
    /** IBV_SEND_SIGNALED or sq_sig_all */
    readonly signaled: boolean;
    /** IBV_SEND_SOLICITED */
    readonly solicited: boolean;
    /** IBV_SEND_FENCE */
    readonly fenced: boolean;
    /** READs and ATOMICs before it that are not complete */
    readonly readsBefore: number;
    /** one that was posted before it and must complete has not */
    readonly overtakes: boolean;
  };
  /** its completion has come; otherwise everything is at rest, and it comes no more */
  readonly came: boolean;
  readonly wc: {
    /** status of the completion; local: a local error, which the rules of the verbs decide on */
    readonly status:
      | 'IBV_WC_SUCCESS'
      | 'IBV_WC_WR_FLUSH_ERR'
      | 'IBV_WC_RETRY_EXC_ERR'
      | 'IBV_WC_RNR_RETRY_EXC_ERR'
      | 'local'
      | 'other';
    /** the status is one with which the work request may have failed */
    readonly listed: boolean;
    /** its opcode is that of the work request, or not known */
    readonly asPosted: boolean;
    /** its byte_len (-1: unknown) */
    readonly byteLen?: number | undefined;
  };
  readonly oldest: {
    /** first PSN of the oldest work request that is not acknowledged; `end` if there is none (PSN) */
    readonly psn: number;
    /** first PSN behind it (PSN; -1: unknown) */
    readonly end?: number | undefined;
    /** whether it is a READ or ATOMIC */
    readonly reads: boolean;
    /** whether it takes a receive WQE of the far end */
    readonly receives: boolean;
  };
  readonly response: {
    /** see the outcome acknowledges */
    readonly acknowledges: 'none' | 'before' | 'through' | 'gap';
    /** PSN of the first READ or ATOMIC response that is missing (PSN) */
    readonly gap: number;
    /** work requests that are acknowledged with it */
    readonly head: number;
    /** its credits say that no receive WQE is left */
    readonly starves: boolean;
    /** whether it acknowledges what a NAK named */
    readonly answersNak: boolean;
  };
  /** cause of retransmission */
  readonly cause: 'timeout' | 'sequence-nak' | 'implied-nak' | 'rnr-nak';
  readonly nak: {
    /** when the RNR NAK came (nanoseconds) */
    readonly since: number;
    /** the time that its timer code names (nanoseconds) */
    readonly wait: number;
    /** how long the device has surely been running since it came (nanoseconds) */
    readonly ran: number;
  };
  readonly pending: {
    /** whether this cause of retransmission waits at this PSN already */
    readonly same: boolean;
    /** whether an RNR NAK waits that names this PSN or one before */
    readonly rnrBefore: boolean;
    /** whether any RNR NAK waits */
    readonly rnr: boolean;
    /** whether any cause of retransmission waits */
    readonly any: boolean;
    /** whether one that going back to the packet would answer is an RNR NAK whose time still runs */
    readonly early: boolean;
    /** whether holdsBack is true of an RNR NAK whose time still runs */
    readonly holdsBack: boolean;
  };
  readonly waiting: {
    /** one of the causes that wait for their retransmission */
    readonly cause: 'sequence-nak' | 'implied-nak' | 'rnr-nak';
    /** PSN that it names (PSN) */
    readonly psn: number;
    /** when it came (nanoseconds) */
    readonly since: number;
    /** the time that its timer code names (nanoseconds) */
    readonly wait: number;
    /** the longest time that RNR NAKs of the same packet have named since (nanoseconds) */
    readonly longest: number;
  };
  readonly resend: {
    /** PSN from which the device would send again (PSN) */
    readonly psn: number;
  };
  /** the packet goes back to what was sent before */
  readonly goesBack: boolean;
  readonly timer: {
    /** whether the ACK timer may or must have run out */
    readonly expiry: 'forbidden' | 'allowed' | 'owed';
  };
  readonly left: {
    /** whether something may be left of the counter of the cause */
    readonly some: boolean;
    /** whether nothing may be left of it */
    readonly none: boolean;
  };
  /** the packet leaves by the alternate path */
  readonly overAlternate: boolean;
  /** when it happened, and the earliest that it can have happened (nanoseconds) */
  readonly now: number;
  readonly earliest: number;
  /** how late what is due may be seen (nanoseconds) */
  readonly slack: number;
  /** how long the device has surely been running since then (nanoseconds) */
  readonly ran: (since: number) => number;
}

/** What happens to it that no rule decides. */
export type RcRequesterStep =
  | 'called'
  | 'posted'
  | 'completed'
  | 'sent'
  | 'acknowledged'
  | 'mayHaveTimedOut'
  | 'timedOut'
  | 'refused'
  | 'mayIgnore'
  | 'atRest'
  | 'changedPath'
  | 'followedPeer'
  | 'failed'
  | 'responderFailed';

/** Its named values. */
export type RcRequesterValue =
  | 'ackLeast'
  | 'ackMost'
  | 'ackDisabled'
  | 'acknowledged'
  | 'gains'
  | 'repeats'
  | 'lastOfWork'
  | 'offset'
  | 'segment'
  | 'responseBytes'
  | 'received'
  | 'expectsResponse'
  | 'queued'
  | 'works'
  | 'mayFail'
  | 'reportsFailure'
  | 'reportsLocal'
  | 'answerUnplaced'
  | 'mayBeExhausted'
  | 'failsBy'
  | 'givenUpFor'
  | 'brings'
  | 'brought'
  | 'sitsOut'
  | 'ready'
  | 'sentPosition'
  | 'sentCarries'
  | 'opcodeAsPosted'
  | 'sameAsFirst'
  | 'interval'
  | 'intervalBefore'
  | 'resumesAt'
  | 'resendDue'
  | 'reachesOldest'
  | 'mayGoBack'
  | 'mostRetries'
  | 'rnrUnlimited'
  | 'givenUp'
  | 'rnrGivenUp'
  | 'rnrLongest'
  | 'callsFor'
  | 'holdsBack'
  | 'waitsOn'
  | 'staysOpen'
  | 'inTurn'
  | 'endsFirst'
  | 'longestWait'
  | 'counter'
  | 'lastSpent'
  | 'mayBeSpent'
  | 'surelySpent'
  | 'otherCause'
  | 'ack phase';
