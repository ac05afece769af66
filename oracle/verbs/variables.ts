/** Generated from spec/machines/verbs/machine.yaml by `npm run generate`; do not edit. */

/** State of the machine verbs; `start` of the machine gives every variable its first value. */
export class VerbsVariables {
  /** state of the QP, as calls, completions, events and queries tell */
  qpState: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR' = 'RESET';
  /** place in the trace of what put it there */
  stateAt: number = -1;
  /** it may be in another state by now */
  unsure: boolean = false;
  /** something was not seen, so that nothing can be missed */
  blind: boolean = false;
  /** posting was refused since the state was last known */
  refusedPost: boolean = false;
  /** likewise, a work request was posted in ERR or SQE */
  flushedPost: boolean = false;
  /** likewise, the port's link was down */
  portError: boolean = false;
  /** likewise, a receive completed with IBV_WC_REM_ABORT_ERR */
  aborted: boolean = false;
  /** likewise, a send work request completed in error */
  failedSend: boolean = false;
  /** likewise, a receive work request completed in error */
  failedReceive: boolean = false;
  /** likewise, IBV_EVENT_QP_FATAL or IBV_WC_FATAL_ERR */
  fatalEvent: boolean = false;
  /** it has refused a request for good in this life, as its NAK says */
  refused: boolean = false;
  /** packets to the QP since everything was last at rest */
  arrived: number = -1;
  /** there has been a packet to it in this life */
  everArrived: boolean = false;
  /** place of the newest packet to it */
  newestArrival: number = -1;
  /** packets to it in this life, less the messages that completed a receive */
  unmatched: number = -1;
  /** send work was begun since everything was last at rest */
  busy: boolean = false;
  /** a message of several packets has come in this life */
  messageBegun: boolean = false;
  /** a message was received in this life */
  received: boolean = false;
  /** WQEs of its SRQ that were flushed since it went to ERR */
  sharedFlushes: number = -1;
  /** of IBV_EVENT_SQ_DRAINED: nobody asked for it; software did with an earlier SQD; with this one; it was raised since */
  drain: 'not-asked' | 'earlier' | 'asked' | 'raised' = 'not-asked';
  /** the QP left SQD before IBV_EVENT_SQ_DRAINED came that was asked for */
  lateDrain: boolean = false;
  /** en_sqd_async_notify as it was last given in this life */
  notified: boolean = false;
  /** of IBV_EVENT_QP_LAST_WQE_REACHED: the QP has not failed; it has; it was raised since, or found missing */
  lastWqe: 'none' | 'due' | 'raised' = 'none';
  /** when all completions that were there when it came had been taken; 0: nobody has looked (nanoseconds) */
  lastWqePolled: number = -1;
  /** of IBV_EVENT_QP_FATAL: no CQ of the QP has failed; one has; it was raised, or found missing */
  fatal: 'none' | 'due' | 'raised' = 'none';
  /** its CQs, and its SRQ, that have failed */
  fatalQueues: number = -1;
  /** 1: it came before any of these had failed */
  fatalOwn: number = -1;
  /** how often it came */
  fatalReports: number = -1;
  /** a CQ or SRQ that it is not on has failed since everything was last at rest */
  othersFailed: boolean = false;
  /** IBV_EVENT_COMM_EST was raised since the QP came to RTR */
  established: boolean = false;
  /** state that RESET has taken it out of since everything was last at rest (undefined: unknown) */
  left: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR' | undefined = undefined;
  /** IBV_EVENT_COMM_EST may still come of a life that RESET has ended since then */
  formerEstablished: boolean = false;
  /** a message was received in RTR that no event has reported */
  receivedInRtr: boolean = false;
}

/** What its expressions read of an event. */
export interface VerbsInputs {
  readonly qp: {
    /** service of the QP */
    readonly service: 'RC' | 'UC' | 'UD';
    /** it executes messages in order */
    readonly ordered: boolean;
    /** it receives from an SRQ */
    readonly shared: boolean;
    /** software has given it an alternate path */
    readonly mayMigrate: boolean;
    /** bytes of inline data that it was made for */
    readonly maxInline: number;
    /** IBV_EVENT_CQ_ERR was raised for its send or receive CQ */
    readonly cqError: boolean;
    /** send work requests outstanding */
    readonly sends: number;
    /** one of them is not held, and may be under way */
    readonly begun: boolean;
    /** requests are unanswered, as packets tell (undefined: unknown) */
    readonly unanswered?: boolean | undefined;
    /** flushes whose cause has not been seen yet */
    readonly uncaused: number;
    /** WQEs on its SRQ */
    readonly srqPosted: number;
  };
  readonly sight: {
    /** every packet of the device is seen */
    readonly atDevice: boolean;
    /** something was begun on the device since everything was last at rest */
    readonly traffic: boolean;
  };
  readonly event: {
    /** its place in the trace */
    readonly index: number;
    /** when it was (nanoseconds) */
    readonly at: number;
    /** the asynchronous event has come, or is not to come any more */
    readonly raised: boolean;
    /** everything has had its time */
    readonly resting: boolean;
    /** requests of its QP were unanswered when it came, as packets tell */
    readonly unanswered: boolean;
    /** no packet had come to its QP by then */
    readonly unreached: boolean;
    /** the status of the completion, or the asynchronous event, was seen */
    readonly seen: boolean;
  };
  readonly call: {
    /** state that ibv_modify_qp sets */
    readonly qp_state: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR';
    /** en_sqd_async_notify of ibv_modify_qp (undefined: unknown) */
    readonly notifies?: boolean | undefined;
    /** the call failed */
    readonly refused: boolean;
    /** its error number */
    readonly errno: number;
  };
  readonly transition: {
    /** the service has the transition */
    readonly exists: boolean;
    /** attributes that it requires and the call does not give */
    readonly lacking: number;
    /** attributes of the call that it does not take */
    readonly surplus: number;
  };
  readonly attr: {
    /** attribute of ibv_modify_qp (-1: unknown) */
    readonly rq_psn?: number | undefined;
    /** likewise (-1: unknown) */
    readonly sq_psn?: number | undefined;
    /** likewise (-1: unknown) */
    readonly dest_qp_num?: number | undefined;
    /** likewise (-1: unknown) */
    readonly pkey_index?: number | undefined;
    /** likewise (-1: unknown) */
    readonly port_num?: number | undefined;
    /** it gives an alternate path or path_mig_state */
    readonly migrates: boolean;
  };
  readonly queried: {
    /** state that ibv_query_qp gives */
    readonly qp_state: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR';
  };
  readonly rights: {
    /** IBV_ACCESS_LOCAL_WRITE is among the rights that a memory region is to have */
    readonly localWrite: boolean;
    /** IBV_ACCESS_REMOTE_WRITE is */
    readonly remoteWrite: boolean;
    /** IBV_ACCESS_REMOTE_ATOMIC is */
    readonly remoteAtomic: boolean;
  };
  readonly rereg: {
    /** the region is to lie in other memory */
    readonly moves: boolean;
    /** no source says whether it is changed: nothing is asked for, a window is bound, or it is in doubt */
    readonly doubtful: boolean;
  };
  readonly queue: {
    /** work requests outstanding in the queue that is posted to */
    readonly posted: number;
    /** of a send queue, those that cannot have completed */
    readonly waiting: number;
    /** more were posted than the trace tells apart */
    readonly forgetful: boolean;
    /** WQEs that it has room for */
    readonly size: number;
    /** elements that a WQE of it has room for */
    readonly maxSge: number;
    /** the device has reported what room it has made in it */
    readonly reported: boolean;
  };
  readonly list: {
    /** elements of the list of a work request that is posted */
    readonly elements: number;
    /** their bytes */
    readonly bytes: number;
  };
  readonly chain: {
    /** place of a work request in a list that one call posts */
    readonly place: 'taken' | 'refused' | 'behind' | 'whole';
    /** it has been posted, as what follows shows */
    readonly posted: boolean;
    /** of a list that is refused: bad_wr names one of its work requests */
    readonly named: boolean;
  };
  readonly wr: {
    /** what a send work request asks for; internal: something of the device itself */
    readonly kind: 'send' | 'write' | 'read' | 'atomic' | 'internal';
    /** it is a SEND that invalidates a key of the far end */
    readonly invalidates: boolean;
    /** number of its opcode where that has no name (-1: unknown) */
    readonly unnamed?: number | undefined;
    /** its opcode is given twice and differs */
    readonly contradicts: boolean;
    /** IBV_SEND_INLINE */
    readonly inline: boolean;
    /** it names an address handle */
    readonly addressed: boolean;
    /** remote address, modulo 8 */
    readonly misalignment: number;
  };
  readonly element: {
    /** an element of its list has an lkey that names no memory region */
    readonly unknownKey: boolean;
    /** likewise, that of a region that has been deregistered */
    readonly deregistered: boolean;
    /** likewise, that of a region of another protection domain */
    readonly foreignPd: boolean;
    /** an element reaches beyond its memory region */
    readonly outOfBounds: boolean;
    /** an element lies in memory without IBV_ACCESS_LOCAL_WRITE */
    readonly unwritable: boolean;
  };
  readonly binding: {
    /** what it asks of a memory window of this device */
    readonly asks: 'nothing' | 'bind' | 'end';
    /** type of window that it is to bind */
    readonly type: 'none' | 'type-1' | 'type-2';
    /** R_Key that the window is to have */
    readonly rkey: number;
    /** bytes that it is to open */
    readonly bytes: number;
    /** some of them lie beyond the region */
    readonly exceeds: boolean;
    /** others are to write there, by WRITE or ATOMIC */
    readonly writes: boolean;
  };
  readonly window: {
    /** type of the memory window that it names; none: there is no such window */
    readonly type: 'none' | 'type-1' | 'type-2';
    /** R_Key that the window has had last */
    readonly rkey: number;
    /** the window is on the protection domain of the QP */
    readonly ofDomain: boolean;
    /** whether it is bound; for one that is to be bound, under another key */
    readonly bound: 'no' | 'maybe' | 'yes';
    /** this QP has bound it */
    readonly ofQp: boolean;
  };
  readonly target: {
    /** the region that a window is to be bound to is registered, and not in doubt */
    readonly usable: boolean;
    /** likewise, on the protection domain of the QP */
    readonly ofDomain: boolean;
    /** likewise, with IBV_ACCESS_MW_BIND */
    readonly bindable: boolean;
    /** likewise, with IBV_ACCESS_LOCAL_WRITE */
    readonly writable: boolean;
  };
  readonly device: {
    /** the device has declared to have the operation */
    readonly optional: boolean;
    /** max_msg_sz of ibv_query_port (-1: unknown) */
    readonly maxMessage?: number | undefined;
    /** greatest message that it declares to take (-1: unknown) */
    readonly declaredMessage?: number | undefined;
    /** MTU of the port in bytes (-1: unknown) */
    readonly mtu?: number | undefined;
  };
  readonly work: {
    /** the completion names a work request that is outstanding */
    readonly outstanding: boolean;
    /** queue of the work request; shared: an SRQ */
    readonly queue: 'send' | 'receive' | 'shared';
    /** what posting made of it */
    readonly becomes: 'queued' | 'held' | 'flushed';
    /** what was wrong with it when it was posted */
    readonly fault:
      | 'none'
      | 'key'
      | 'deregistered'
      | 'bounds'
      | 'foreign-pd'
      | 'rights'
      | 'elements'
      | 'operation'
      | 'inline'
      | 'length'
      | 'datagram-length'
      | 'bind-right'
      | 'bind-write'
      | 'bind-bounds'
      | 'several';
    /** place of its post in the trace */
    readonly index: number;
    /** when it was posted (nanoseconds) */
    readonly at: number;
    /** it was posted to the own receive queue of a QP that is on an SRQ */
    readonly unused: boolean;
    /** the QP has gone from SQE to RTS since */
    readonly past: boolean;
    /** it binds a memory window or invalidates a key here, and asked for no completion */
    readonly quiet: boolean;
    /** it binds a memory window across protection domains, which is all that is wrong with it */
    readonly foreign: boolean;
    /** one that was posted before it and must complete has not */
    readonly overtakes: boolean;
  };
  readonly wc: {
    /** status of the completion; none: none has come */
    readonly status:
      | 'none'
      | 'IBV_WC_SUCCESS'
      | 'IBV_WC_WR_FLUSH_ERR'
      | 'IBV_WC_REM_ABORT_ERR'
      | 'IBV_WC_LOC_LEN_ERR'
      | 'IBV_WC_LOC_QP_OP_ERR'
      | 'IBV_WC_LOC_PROT_ERR'
      | 'IBV_WC_FATAL_ERR'
      | 'IBV_WC_GENERAL_ERR'
      | 'IBV_WC_RESP_TIMEOUT_ERR'
      | 'IBV_WC_MW_BIND_ERR'
      | 'IBV_WC_TM_ERR'
      | 'IBV_WC_TM_RNDV_INCOMPLETE'
      | 'other';
    /** when software took it from its CQ (nanoseconds) */
    readonly taken: number;
    /** the status is one that the rule names */
    readonly listed: boolean;
  };
  readonly async: {
    /** the asynchronous event names a QP of the device */
    readonly ofQp: boolean;
    /** the trace shows all QPs that the device has had */
    readonly told: boolean;
    /** the asynchronous event names a QP that the device has, or has had */
    readonly had: boolean;
    /** what the asynchronous event names */
    readonly names: 'qp' | 'cq' | 'srq' | 'port' | 'nothing' | 'several';
  };
  readonly byte: {
    /** a byte beside a memory region */
    readonly value: number;
  };
}

/** What happens to it that no rule decides. */
export type VerbsStep =
  | 'modified'
  | 'queried'
  | 'sendPosted'
  | 'receivePosted'
  | 'postRefused'
  | 'packetArrived'
  | 'messageBegan'
  | 'refused'
  | 'sharedFlushed'
  | 'completed'
  | 'linkLost'
  | 'drained'
  | 'lastWqeReached'
  | 'lastWqePolled'
  | 'lastWqeMissed'
  | 'connected'
  | 'formerConnected'
  | 'receptionMissed'
  | 'fatallyFailed'
  | 'fatalMissed'
  | 'affiliatedError'
  | 'cqFailed'
  | 'srqFailed'
  | 'otherFailed'
  | 'flushedUncaused'
  | 'sightLost'
  | 'rested';

/** Its named values. */
export type VerbsValue =
  | 'sameDomain'
  | 'freshKey'
  | 'freeWindow'
  | 'bindForbidden'
  | 'bindUnwritable'
  | 'bindOutOfBounds'
  | 'bindDoubtful'
  | 'bindsForeign'
  | 'flushCaused'
  | 'mayHaveFailed'
  | 'flushExplained'
  | 'receiptsOver'
  | 'local'
  | 'unclear'
  | 'error'
  | 'failure'
  | 'sendFailure'
  | 'mayHaveTaken'
  | 'hasLetGo'
  | 'mayHaveBegun'
  | 'fatalOver'
  | 'spared'
  | 'drainOver'
  | 'announcesNoMore'
  | 'awaitsMessage'
  | 'failed'
  | 'mayHaveChanged'
  | 'uncertain'
  | 'judgedByRc'
  | 'holdsBack'
  | 'carriesOut'
  | 'postOpen'
  | 'queueOpen'
  | 'filled'
  | 'queueFree'
  | 'queueFull'
  | 'waits'
  | 'places'
  | 'carried'
  | 'operationFault'
  | 'lengthFault'
  | 'tooManyElements'
  | 'tooMuchInline'
  | 'roomOpen'
  | 'memoryFaults'
  | 'faults'
  | 'doubtful'
  | 'malformed'
  | 'sendFault'
  | 'unwritten'
  | 'leftError'
  | 'leftFailed'
  | 'leftDrain'
  | 'eitherLife'
  | 'eitherFails'
  | 'anything'
  | 'grave'
  | 'plain';
