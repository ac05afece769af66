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
  /** PSN of the newest positive response (PSN; -1: unknown) */
  lastAck: number = -1;
}

/** What its expressions read of an event. */
export interface RcResponderInputs {
  readonly packet: {
    /** PSN of the request (PSN) */
    readonly psn: number;
    /** bytes of payload */
    readonly payloadLength: number;
    /** AckReq bit of the BTH */
    readonly ackReq: boolean;
    /** the ICRC is that of its bytes */
    readonly icrcOk: boolean;
    /** transport version of the BTH */
    readonly tver: number;
  };
  /** when the request came (nanoseconds) */
  readonly arrival: number;
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
    /** READs and ATOMICs that the responder takes at a time (-1: unknown) */
    readonly maxDestRdAtomic?: number | undefined;
  };
  /** the open message holds a receive WQE */
  readonly holdsWqe: boolean;
  /** a receive WQE waits in the queue */
  readonly wqeWaits: boolean;
  /** whether one waits depends on other QPs of the SRQ, of which the trace does not tell which was first */
  readonly wqeContested: boolean;
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
    | 'local-memory';
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
    /** MSN of its AETH (PSN) */
    readonly msn: number;
  };
  readonly answered: {
    /** messages completed with the request that it answers, if it is no duplicate (-1: unknown) */
    readonly msn?: number | undefined;
    /** the NAK was due with the expected PSN, which was unknown */
    readonly anyPsn: boolean;
    /** when the wait is over that an RNR NAK asks for (nanoseconds) */
    readonly waitEnds: number;
    /** it is the last response of the newest READ whose number of responses was unknown */
    readonly endsRead: boolean;
  };
}

/** What happens to it that no rule decides. */
export type RcResponderStep =
  | 'modified'
  | 'requesterFailed'
  | 'faultFound'
  | 'seenMidway'
  | 'establishedRaised'
  | 'responded'
  | 'caughtUp';

/** Its named values. */
export type RcResponderValue =
  'starts' | 'ends' | 'longest' | 'offset' | 'total' | 'readResponses' | 'psns' | 'takesReceive' | 'misfit';

/** Names of all its variables, in the order of the YAML. */
export const rcResponderVariables = [
  'qpState',
  'softwareState',
  'ePsn',
  'msn',
  'msnBase',
  'nakState',
  'rnrUntil',
  'message',
  'received',
  'pmtu',
  'faulted',
  'established',
  'lastAck',
] as const;
