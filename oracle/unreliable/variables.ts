/** Generated from spec/machines/unreliable/machine.yaml by `npm run generate`; do not edit. */

/** State of the machine unreliable; `start` of the machine gives every variable its first value. */
export class UnreliableVariables {
  /** state of the QP */
  qpState: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR' = 'RESET';
  /** expected PSN of a UC QP (PSN; -1: unknown) */
  ePsn: number = -1;
  /** message of which the last packet has not come */
  message: 'none' | 'send' | 'write' = 'none';
  /** bytes of it so far, counted from the beginning of its buffer */
  received: number = -1;
  /** receive WQE that it holds, by its place in the queue (-1: unknown) */
  wqe: number = -1;
  /** next receive WQE to take */
  rqHead: number = -1;
  /** behind the newest receive WQE */
  rqTail: number = -1;
  /** a fault was reported, or is to be, by a completion */
  faulted: boolean = false;
  /** PSN of the next packet; unknown where nobody can tell, as after a failure (PSN; -1: unknown) */
  nextPsn: number = -1;
  /** first PSN of the message that took it to SQE; those in front of it have been used (PSN; -1: unknown) */
  failedPsn: number = -1;
  /** behind the newest work request */
  tail: number = -1;
  /** a work request has completed in error */
  sendFailed: boolean = false;
  /** first work request that must not be processed; unknown if there is none (-1: unknown) */
  stoppedFrom: number = -1;
  /** behind the newest work request that was there when the QP went to SQD or ERR */
  doubtfulTo: number = -1;
  /** likewise, when software last wrote to memory */
  writtenTo: number = -1;
  /** likewise, when software last deregistered memory */
  deregisteredTo: number = -1;
}

/** What its expressions read of an event. */
export interface UnreliableInputs {
  readonly packet: {
    /** PSN of the packet that came, or that is sent (PSN) */
    readonly psn: number;
    /** bytes of payload */
    readonly payloadLength: number;
    /** the ICRC is that of its bytes */
    readonly icrcOk: boolean;
    /** MigReq of the BTH */
    readonly migReq: boolean;
    /** transport version of the BTH */
    readonly tver: number;
    /** reserved bits of the BTH beside FECN and BECN */
    readonly resv6: number;
    /** reserved bits of the BTH beside AckReq */
    readonly resv7: number;
    /** source address */
    readonly srcIp: string;
    /** destination address */
    readonly dstIp: string;
    /** DestQP of the BTH */
    readonly destQp: number;
    /** solicited event bit of the BTH */
    readonly solicited: boolean;
    /** immediate data (-1: unknown) */
    readonly immediate?: number | undefined;
  };
  readonly opcode: {
    /** what the opcode asks for */
    readonly family: 'send' | 'write' | 'read' | 'atomic' | 'other';
    /** its place in the message */
    readonly position: 'first' | 'middle' | 'last' | 'only';
    /** it carries immediate data */
    readonly immediate: boolean;
    /** service by the upper three bits of the opcode */
    readonly service: 'RC' | 'UC' | 'UD' | 'other';
  };
  readonly deth: {
    /** Q_Key of the DETH (-1: unknown) */
    readonly qkey?: number | undefined;
    /** reserved byte of the DETH; unknown: 0 (-1: unknown) */
    readonly reserved?: number | undefined;
    /** QP number of the sender in the DETH (-1: unknown) */
    readonly srcQp?: number | undefined;
  };
  readonly reth: {
    /** the RETH has address and R_Key of the work request */
    readonly asPosted: boolean;
  };
  /** the packet is for an address that the device has, or may have */
  readonly addressed: boolean;
  /** the P_Key is that of the QP as far as that is known */
  readonly samePartition: boolean;
  /** DMALen of the message that the packet belongs to; 0 if there is none */
  readonly announced: number;
  /** the packet carries an RETH */
  readonly announces: boolean;
  /** qp_access_flags allow RDMA WRITE */
  readonly allowed: boolean;
  /** bytes of the receive WQE that a SEND holds or would take (-1: unknown) */
  readonly room?: number | undefined;
  /** receive WQEs that other QPs have taken from its SRQ, in one of the cases that the trace leaves open; 0 where it has the queue alone */
  readonly othersTook: number;
  /** fault for which a message is given up; unknown if packets are missing (undefined: unknown) */
  readonly fault?: 'unsupported' | 'access' | 'length' | 'too-long' | 'local-memory' | undefined;
  readonly qp: {
    /** QP number; -1: the device has no such QP */
    readonly qpNumber: number;
    /** service of the QP */
    readonly kind: 'UC' | 'UD';
    /** state that software put the QP into */
    readonly state: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR';
    /** path MTU in bytes; 0: none was set */
    readonly pmtu: number;
    /** bytes of the longest message of the port, as ibv_query_port has said (-1: unknown) */
    readonly maxMessage?: number | undefined;
    /** Q_Key of the QP (-1: unknown) */
    readonly qkey?: number | undefined;
    /** QP number that a UC QP is connected to (-1: unknown) */
    readonly peerQpNumber?: number | undefined;
    /** address that it is connected to (undefined: unknown) */
    readonly peerAddress?: string | undefined;
    /** software has given the QP an alternate path */
    readonly mayMigrate: boolean;
    readonly posted: {
      /** receive WQEs posted so far, to its SRQ if it is on one */
      readonly length: number;
    };
  };
  /** the QP takes its receive WQEs from an SRQ */
  readonly onSrq: boolean;
  /** the device declares that it cannot give a receive WQE back to an SRQ */
  readonly keepsTaken: boolean;
  readonly attr: {
    /** first PSN that software has the QP expect (PSN; -1: unknown) */
    readonly rq_psn?: number | undefined;
    /** first PSN that it has it send (PSN; -1: unknown) */
    readonly sq_psn?: number | undefined;
    /** state that software asks for (undefined: unknown) */
    readonly qp_state?: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR' | undefined;
  };
  readonly due: {
    /** why the oldest receive completion that is due is so */
    readonly end: 'message' | 'aborted' | 'fault' | 'none';
    /** bytes that it must report */
    readonly length: number;
    /** opcode for it: IBV_WC_RECV or IBV_WC_RECV_RDMA_WITH_IMM */
    readonly kind: 'receive' | 'receive-write';
    /** immediate data that it must report (-1: unknown) */
    readonly immediate?: number | undefined;
    /** QP number of the sender of a UD message (-1: unknown) */
    readonly source?: number | undefined;
  };
  readonly wc: {
    /** bytes that a receive completion tells (-1: unknown) */
    readonly byte_len?: number | undefined;
    /** its opcode: IBV_WC_SEND, IBV_WC_RDMA_WRITE, IBV_WC_RECV, IBV_WC_RECV_RDMA_WITH_IMM or another one (undefined: unknown) */
    readonly kind?: 'send' | 'write' | 'receive' | 'receive-write' | 'other' | undefined;
    /** immediate data that it tells (-1: unknown) */
    readonly imm_data?: number | undefined;
    /** QP number of the sender that it tells (-1: unknown) */
    readonly src_qp?: number | undefined;
    /** it has the flag IBV_WC_GRH */
    readonly grh: boolean;
  };
  /** it names the oldest receive WQE whose completion is due */
  readonly inOrder: boolean;
  /** the completion came */
  readonly came: boolean;
  readonly work: {
    /** work request of the packet or completion, by its place in the send queue; unknown if there is none (-1: unknown) */
    readonly index?: number | undefined;
    /** its kind */
    readonly kind: 'send' | 'write';
    /** its bytes */
    readonly length: number;
    /** packets that it takes */
    readonly packets: number;
    /** those that have been sent */
    readonly sent: number;
    /** success is reported */
    readonly signaled: boolean;
    /** it has completed */
    readonly completed: boolean;
    /** what its opcode asks for; other: an opcode that UC and UD do not have */
    readonly operation: 'send' | 'write' | 'other';
    /** bytes of the longest payload that the port takes (-1: unknown) */
    readonly longest?: number | undefined;
    /** its memory could be read when it was posted */
    readonly readable: boolean;
    /** it has immediate data */
    readonly immediate: boolean;
    readonly wr: {
      /** the immediate data (-1: unknown) */
      readonly imm_data?: number | undefined;
      /** its Q_Key (-1: unknown) */
      readonly remote_qkey?: number | undefined;
      /** QP number that a datagram is for (-1: unknown) */
      readonly remote_qpn?: number | undefined;
    };
    /** it asks for a solicited event */
    readonly solicited: boolean;
    /** its data were taken when it was posted */
    readonly taken: boolean;
    /** it has completed in error */
    readonly failed: boolean;
    /** everything due has had its time */
    readonly settled: boolean;
  };
  /** address that the address handle of a datagram leads to (undefined: unknown) */
  readonly remoteAddress?: string | undefined;
  /** the packet says the same as one that was sent before */
  readonly repeats: boolean;
  /** the packet leaves its work request behind unsent, for a later one, as nothing but a failure could */
  readonly passesOver: boolean;
  /** a packet may be recorded behind the completion of its work request or of a later one */
  readonly skewed: boolean;
  readonly query: {
    /** state that ibv_query_qp tells */
    readonly qp_state: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR';
  };
  readonly link: {
    /** the port has a link */
    readonly up: boolean;
  };
  readonly receiver: {
    /** a fault of what was received may have been reported */
    readonly faulted: boolean;
    /** such a fault may have taken the QP to ERR */
    readonly mayHaveFailed: boolean;
  };
}

/** What happens to it that no rule decides. */
export type UnreliableStep =
  | 'modified'
  | 'posted'
  | 'sendQueueFailed'
  | 'queued'
  | 'sent'
  | 'vanished'
  | 'failed'
  | 'written'
  | 'deregistered';

/** Its named values. */
export type UnreliableValue =
  | 'flushes'
  | 'starts'
  | 'ends'
  | 'longest'
  | 'front'
  | 'offset'
  | 'reached'
  | 'byteLength'
  | 'total'
  | 'wqeWaits'
  | 'takesReceive'
  | 'misfit'
  | 'heldWqe'
  | 'reportedWqe'
  | 'dueKind'
  | 'packets'
  | 'lastPacket'
  | 'sentPosition'
  | 'sentImmediate'
  | 'segment'
  | 'opcodeAsPosted'
  | 'farQp'
  | 'farAddress'
  | 'qkeySent'
  | 'sends'
  | 'tooLong'
  | 'faulty'
  | 'stopped'
  | 'doubtful'
  | 'whole'
  | 'begun'
  | 'sendsNext'
  | 'leftBehind'
  | 'looksAsNext'
  | 'mayBePassed'
  | 'vanishes'
  | 'mayComeLate'
  | 'mayRewind'
  | 'queueEmptied'
  | 'sentOffset'
  | 'payloadOpen';
