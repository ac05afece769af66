/** Generated from spec/machines/congestion/machine.yaml by `npm run generate`; do not edit. */

/** State of the machine congestion; `start` of the machine gives every variable its first value. */
export class CongestionVariables {
  /** estimate of congestion, from 0 to 1 (-1: unknown) */
  alpha: number = -1;
  /** rate in force (-1: unknown) */
  rate: number = -1;
  /** target of fast recovery (-1: unknown) */
  target: number = -1;
  /** state of the rate limiter */
  limiter: 'idle' | 'limited' | 'at-line' = 'idle';
  /** sight was lost or something was wrong; until the next cut slots and counters are not known */
  unsure: boolean = false;
  /** the limiter began in this slot of alpha */
  firstSlot: boolean = false;
  /** a CNP was noted in this slot of alpha, beside the first of all */
  notedInSlot: boolean = false;
  /** when the last cut was (nanoseconds; -1: unknown) */
  lastCut: number = -1;
  /** when the limiter began, or the last cut (nanoseconds; -1: unknown) */
  boundSince: number = -1;
  /** when the oldest CNP was noted that may still bring a cut (nanoseconds; -1: unknown) */
  oldestUncut: number = -1;
  /** when the last cut or increase was (nanoseconds; -1: unknown) */
  lastStep: number = -1;
  /** the rate has been increased since the last cut */
  increased: boolean = false;
  /** increases by the timer since the last cut */
  timerEvents: number = -1;
  /** increases by the byte counter since the last cut */
  byteEvents: number = -1;
  /** bytes of whole frames since the last cut or increase by bytes */
  frameBytes: number = -1;
  /** bytes of payload since the last cut or increase of any kind */
  payloadBytes: number = -1;
  /** bits of payload that the requests of the QP are ahead of its rate */
  aheadBits: number = -1;
  /** until when the rate has been taken off them (nanoseconds; -1: unknown) */
  aheadSince: number = -1;
  /** the rate when its last request left (-1: unknown) */
  rateBefore: number = -1;
  /** likewise, of its READ responses */
  responseAheadBits: number = -1;
  /** likewise, of its READ responses (nanoseconds; -1: unknown) */
  responseAheadSince: number = -1;
  /** the rate when its last READ response left (-1: unknown) */
  responseRateBefore: number = -1;
  /** what a QP of UC or UD has been given to send */
  backlog: 'none' | 'complete' | 'doubtful' = 'none';
  /** packets of it that are still to be sent */
  packetsLeft: number = -1;
  /** bytes of the longest datagram that is known to fit the port; the smallest path MTU at first */
  datagramFits: number = -1;
  /** the lowest rate since its last packet (-1: unknown) */
  slowest: number = -1;
  /** bits that had left the port when nextPacket began (-1: unknown) */
  portBefore: number = -1;
  /** least that a step may tell where the device does not declare what its formula needs (-1: unknown) */
  least: number = -1;
  /** likewise, the most (-1: unknown) */
  most: number = -1;
  /** how long the last CNP of the pacer may have waited in the port (nanoseconds; -1: unknown) */
  pacerQueued: number = -1;
  /** in a capture, when the newest packet came that causes a CNP (nanoseconds; -1: unknown) */
  causedAt: number = -1;
  /** likewise, of the one before it (nanoseconds; -1: unknown) */
  causedBefore: number = -1;
  /** in a capture, when the first CNP came since the pacer was idle (nanoseconds; -1: unknown) */
  trainFrom: number = -1;
  /** when the newest came (nanoseconds; -1: unknown) */
  trainNewest: number = -1;
  /** the earliest that it may have left, had the first not been held up on its way (nanoseconds; -1: unknown) */
  trainEarliest: number = -1;
  /** how many have come (-1: unknown) */
  trainCount: number = -1;
  /** in a capture, when the newest CNP came that counts (nanoseconds; -1: unknown) */
  countedCnp: number = -1;
  /** in a capture, bytes of frames since the last cut */
  bytesSinceCut: number = -1;
  /** since the last CNP of the pacer: the earliest instant from which it may count (nanoseconds; -1: it does not run) */
  pacerEarliest = -1;
  /** likewise, the latest */
  pacerLatest = -1;
  /** since the slot of alpha began: the earliest instant from which it may count (nanoseconds; -1: it does not run) */
  alphaSlotEarliest = -1;
  /** likewise, the latest */
  alphaSlotLatest = -1;
  /** since the last cut: the earliest instant from which it may count (nanoseconds; -1: it does not run) */
  decreaseSlotEarliest = -1;
  /** likewise, the latest */
  decreaseSlotLatest = -1;
  /** since the oldest CNP that no cut has answered: the earliest instant from which it may count (nanoseconds; -1: it does not run) */
  oldestCnpEarliest = -1;
  /** likewise, the latest */
  oldestCnpLatest = -1;
  /** since the newest such CNP: the earliest instant from which it may count (nanoseconds; -1: it does not run) */
  newestCnpEarliest = -1;
  /** likewise, the latest */
  newestCnpLatest = -1;
  /** since the last cut or increase by the timer: the earliest instant from which it may count (nanoseconds; -1: it does not run) */
  increaseEarliest = -1;
  /** likewise, the latest */
  increaseLatest = -1;
  /** since the last cut or increase of any kind: the earliest instant from which it may count (nanoseconds; -1: it does not run) */
  quietEarliest = -1;
  /** likewise, the latest */
  quietLatest = -1;
  /** since payloadBytes reached what the byte counter counts: the earliest instant from which it may count (nanoseconds; -1: it does not run) */
  counterFullEarliest = -1;
  /** likewise, the latest */
  counterFullLatest = -1;
  /** since the oldest packet left has had nothing in front of it: the earliest instant from which it may count (nanoseconds; -1: it does not run) */
  nextPacketEarliest = -1;
  /** likewise, the latest */
  nextPacketLatest = -1;
}

/** What its expressions read of an event. */
export interface CongestionInputs {
  readonly profile: {
    /** rate of the port (-1: unknown) */
    readonly lineRate?: number | undefined;
  };
  readonly cnp: {
    /** least time between two CNPs of one pacer (nanoseconds; -1: unknown) */
    readonly interval?: number | undefined;
  };
  readonly dcqcn: {
    /** weight of the newest slot in alpha (-1: unknown) */
    readonly g?: number | undefined;
    /** alpha before the first CNP (-1: unknown) */
    readonly initialAlpha?: number | undefined;
    /** length of a slot of alpha (nanoseconds; -1: unknown) */
    readonly alphaSlot?: number | undefined;
    /** least time between two cuts (nanoseconds; -1: unknown) */
    readonly decreaseSlot?: number | undefined;
    /** least share of its rate that one cut leaves (-1: unknown) */
    readonly minDecreaseFactor?: number | undefined;
    /** least rate (-1: unknown) */
    readonly minRate?: number | undefined;
    /** rate that the first CNP sets, in place of a cut; unknown: it cuts like any other (-1: unknown) */
    readonly firstRate?: number | undefined;
    /** span of the timer (nanoseconds; -1: unknown) */
    readonly timer?: number | undefined;
    /** bytes that the byte counter counts (-1: unknown) */
    readonly bytes?: number | undefined;
    /** events of a stage after which the next begins (-1: unknown) */
    readonly threshold?: number | undefined;
    /** step of active increase (-1: unknown) */
    readonly activeIncrease?: number | undefined;
    /** step of hyper increase (-1: unknown) */
    readonly hyperIncrease?: number | undefined;
    /** every cut saves the rate; otherwise only one after an increase (undefined: unknown) */
    readonly clampTarget?: boolean | undefined;
  };
  readonly tolerance: {
    /** share of a rate that is no difference */
    readonly rate: number;
    /** share of its rate by which a QP may be ahead or late */
    readonly pace: number;
    /** by how much longer than another a CNP may have been under way (nanoseconds) */
    readonly path: number;
    /** between what a capture at its port shows and the device (nanoseconds) */
    readonly port: number;
    /** packets of the path MTU by which a QP may be ahead or late */
    readonly burst: number;
  };
  readonly event: {
    /** when it was seen (nanoseconds) */
    readonly at: number;
    /** the earliest that it can have been; of a packet that leaves, when it would have left had it waited for none (nanoseconds) */
    readonly earliest: number;
    /** the earliest that it can have been made and counted (nanoseconds) */
    readonly made: number;
    /** how long it may have waited in the port (nanoseconds) */
    readonly queued: number;
    /** by how much a gap may look shorter than it was (nanoseconds) */
    readonly jitter: number;
    /** by how much what waits for nothing may be late (nanoseconds) */
    readonly slack: number;
  };
  readonly qp: {
    /** path MTU; 0: none was set */
    readonly pmtu: number;
    /** service of the QP */
    readonly service: 'RC' | 'ORC' | 'UC' | 'UD' | 'other';
    /** state that software put it into */
    readonly state: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR';
    /** its Q_Key (-1: unknown) */
    readonly qkey?: number | undefined;
    /** address that it is connected to (undefined: unknown) */
    readonly peerAddress?: string | undefined;
  };
  readonly posted: {
    /** length of the message of a work request */
    readonly bytes: number;
  };
  readonly sent: {
    /** bytes of a packet that is sent */
    readonly frame: number;
    /** bytes of its payload */
    readonly payload: number;
    /** it is a READ response; otherwise a request */
    readonly read: boolean;
  };
  readonly packet: {
    /** ECN bits of a packet */
    readonly ecn: number;
    /** FECN of its BTH */
    readonly fecn: boolean;
    /** it is a response */
    readonly response: boolean;
    /** it is a response to a READ */
    readonly read: boolean;
    /** what a frame is */
    readonly kind: 'packet' | 'cnp' | 'foreign';
    /** its opcode has a meaning */
    readonly defined: boolean;
    /** service by its opcode */
    readonly service: 'RC' | 'ORC' | 'UC' | 'UD' | 'other';
    /** payload may stand behind the headers that its opcode calls for */
    readonly carries: boolean;
    /** transport version of its BTH */
    readonly tver: number;
    /** bytes of its payload; those behind the BTH of a CNP */
    readonly payload: number;
    /** Q_Key of its DETH; 0 if it has none */
    readonly qkey: number;
    /** address that it comes from */
    readonly srcIp: string;
    /** address that it goes to */
    readonly dstIp: string;
    /** it is a NAK */
    readonly nak: boolean;
  };
  readonly arrival: {
    /** the QP exists that the packet is for */
    readonly toQp: boolean;
    /** its ICRC is right */
    readonly icrc: boolean;
    /** its P_Key is that of the QP */
    readonly samePartition: boolean;
    /** the QP has an alternate path, to which it may have gone */
    readonly movable: boolean;
    /** nothing has happened that may have taken the QP out of its state */
    readonly certain: boolean;
    /** point of congestion control that looks at it */
    readonly at: 'notification' | 'reaction';
    /** no port may have refused it for its length */
    readonly entire: boolean;
  };
  readonly mark: {
    /** when a marked packet came (nanoseconds) */
    readonly at: number;
    /** time since then in which the device was not stalled (nanoseconds) */
    readonly ran: number;
  };
  /** until when CNPs may have left unseen (nanoseconds; -1: unknown) */
  readonly unseenUntil?: number | undefined;
  /** in a capture, when the CNP before left for the same QP (nanoseconds; -1: unknown) */
  readonly cnpBefore?: number | undefined;
  /** from when on everything is seen (nanoseconds) */
  readonly seenFrom: number;
  readonly flow: {
    /** marked packets of the flow that no CNP has answered */
    readonly marks: number;
    /** QP number, at the source, of the flow that a CNP is about (-1: unknown) */
    readonly qp?: number | undefined;
  };
  /** part of a CNP that is judged */
  readonly cnpPart:
    | 'solicited'
    | 'mig-req'
    | 'pad-count'
    | 'tver'
    | 'fecn'
    | 'ack-req'
    | 'psn'
    | 'reserved-bits'
    | 'becn'
    | 'pkey'
    | 'dest-qp'
    | 'addresses'
    | 'body'
    | 'icrc'
    | 'ecn';
  readonly field: {
    /** number or bit in the part that is judged */
    readonly value: number;
  };
  readonly marked: {
    /** a marked packet of which the CNP may tell has its P_Key, or the QP that this came to; unknown where one may not be valid (undefined: unknown) */
    readonly samePkey?: boolean | undefined;
    /** address that the oldest of them comes from (undefined: unknown) */
    readonly srcIp?: string | undefined;
    /** address that it went to (undefined: unknown) */
    readonly dstIp?: string | undefined;
  };
  readonly body: {
    /** bytes behind the BTH of a CNP */
    readonly length: number;
    /** all of them are 0; unknown where a recorder cut them off (undefined: unknown) */
    readonly zero?: boolean | undefined;
  };
  readonly neighbours: {
    /** a CNP has named another QP of the device */
    readonly named: boolean;
  };
  readonly port: {
    /** bits that have left the port of the device */
    readonly sent: number;
  };
  readonly cnps: {
    /** CNPs for the QP of which the reaction point has taken no note */
    readonly unnoted: number;
  };
  readonly report: {
    /** what the reaction point reports */
    readonly cause: 'cnp' | 'cut' | 'alpha-slot' | 'timer' | 'bytes';
    /** what it tells */
    readonly alpha: number;
    /** likewise */
    readonly rate: number;
    /** likewise */
    readonly target: number;
    /** the rate that it tells is, within the tolerance, dcqcn.firstRate */
    readonly atFirstRate: boolean;
    /** the rate that it tells is, within the tolerance, the line rate */
    readonly atLine: boolean;
  };
  /** what the QP may be waiting for */
  readonly awaitedStep: 'cut' | 'alpha-slot' | 'timer' | 'bytes' | 'packet';
  readonly hop: {
    /** bytes in the queue of the switch when the packet came */
    readonly queued: number;
    /** bytes of the packet */
    readonly bytes: number;
    /** its ECN bits behind the switch */
    readonly ecnOut: number;
    /** the switch forwarded it */
    readonly forwarded: boolean;
    /** the switch holds its inputs from then on */
    readonly paused: boolean;
  };
  readonly plan: {
    /** low threshold of the marking curve */
    readonly low: number;
    /** high threshold */
    readonly high: number;
    /** share of packets marked at the high threshold */
    readonly most: number;
    /** bytes that the queue holds */
    readonly buffer: number;
    /** the switch has flow control */
    readonly lossless: boolean;
  };
  /** when it happened, and the earliest that it can have happened (nanoseconds) */
  readonly now: number;
  readonly earliest: number;
  /** how late what is due may be seen (nanoseconds) */
  readonly slack: number;
  /** how long the device has surely been running since then (nanoseconds) */
  readonly ran: (since: number) => number;
}

/** What happens to it that no rule decides. */
export type CongestionStep =
  | 'begins'
  | 'cut'
  | 'cnp'
  | 'alphaSlot'
  | 'timer'
  | 'bytes'
  | 'reported'
  | 'drains'
  | 'responsesDrain'
  | 'counts'
  | 'responseCounts'
  | 'paces'
  | 'overtakes'
  | 'posted'
  | 'leaves'
  | 'backlogLost'
  | 'lost'
  | 'unbounded'
  | 'cnpSent'
  | 'caused'
  | 'trainBegins'
  | 'trainGoesOn'
  | 'cnpCounted'
  | 'cutCounted'
  | 'timerCounted'
  | 'bytesCounted'
  | 'frameCounted';

/** Its named values. */
export type CongestionValue =
  | 'cnpCounts'
  | 'cutCertain'
  | 'cutBy'
  | 'timerMayCount'
  | 'bytesMayCount'
  | 'farAhead'
  | 'mtu'
  | 'largestPacket'
  | 'interval'
  | 'sends'
  | 'receives'
  | 'rightHeader'
  | 'fromPeer'
  | 'cnpUnseen'
  | 'cnpLate'
  | 'markOpen'
  | 'cnpUncaused'
  | 'causedSince'
  | 'causesAtTarget'
  | 'causesAtSource'
  | 'tempting'
  | 'latestGap'
  | 'changesOnWay'
  | 'trainOver'
  | 'stampRepeated'
  | 'trainTight'
  | 'leastRate'
  | 'mostRate'
  | 'unbounded'
  | 'postedPackets'
  | 'packetTime'
  | 'portTime'
  | 'paced'
  | 'punctual'
  | 'holding'
  | 'heldFor'
  | 'heldUnreported'
  | 'requestPace'
  | 'responsePace'
  | 'burstBits'
  | 'bitsAhead'
  | 'bytesLacking'
  | 'cutOverdue'
  | 'perhapsCut'
  | 'cutsLapsed'
  | 'slotOverdue'
  | 'events'
  | 'timerCount'
  | 'byteCount'
  | 'mostCount'
  | 'leastCount'
  | 'hyperSteps'
  | 'mayBeFast'
  | 'mayBeActive'
  | 'mayBeHyper'
  | 'markChance'
  | 'alongCurve'
  | 'pacer phase'
  | 'alphaSlot phase'
  | 'decreaseSlot phase'
  | 'oldestCnp phase'
  | 'newestCnp phase'
  | 'increase phase'
  | 'quiet phase'
  | 'counterFull phase'
  | 'nextPacket phase';
