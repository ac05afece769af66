/** Generated from spec/machines/path-migration/machine.yaml by `npm run generate`; do not edit. */

/** State of the machine path-migration; `start` of the machine gives every variable its first value. */
export class PathMigrationVariables {
  /** path migration state */
  pathState: 'MIGRATED' | 'REARM' | 'ARMED' = 'MIGRATED';
  /** software has given an alternate path */
  loaded: boolean = false;
  /** address of the far end on the alternate path (undefined: unknown) */
  alternate: string | undefined = undefined;
  /** code of the ACK timeout on the alternate path (-1: unknown) */
  alternateTimeout: number = -1;
  /** the QP has left the primary path that software gave */
  migrated: boolean = false;
  /** address of the far end since the QP has left the primary path (undefined: unknown) */
  current: string | undefined = undefined;
  /** code of the ACK timeout since then (-1: unknown) */
  currentTimeout: number = -1;
  /** address of the far end on the path that it left with its newest migration, if that was not the primary one (undefined: unknown) */
  left: string | undefined = undefined;
  /** migrations that no event has reported; -1: an event came for one that has not shown yet */
  unreported: number = -1;
  /** no event has reported the newest migration */
  moving: boolean = false;
  /** refusals that no event has reported */
  refusals: number = -1;
  /** no event has come since the last of them */
  refusalPending: boolean = false;
  /** an event may still come of the life that RESET has ended */
  formerEvents: boolean = false;
}

/** What its expressions read of an event. */
export interface PathMigrationInputs {
  readonly packet: {
    /** MigReq of the BTH */
    readonly migReq: boolean;
    /** source address */
    readonly srcIp: string;
    /** destination address */
    readonly dstIp: string;
  };
  readonly qp: {
    /** address of the far end on the primary path (undefined: unknown) */
    readonly peerAddress?: string | undefined;
    /** code of the ACK timeout on the primary path */
    readonly timeout: number;
  };
  /** what the table rc-migration says of the packet */
  readonly move: 'none' | 'stays' | 'rearms' | 'arms' | 'migrates' | 'refused';
  readonly attr: {
    /** software asks for a path migration state */
    readonly asks: boolean;
    /** which */
    readonly path_mig_state: 'MIGRATED' | 'REARM' | 'ARMED';
    /** code of the ACK timeout that software sets (-1: unknown) */
    readonly timeout?: number | undefined;
    /** software sets the primary path */
    readonly primary: boolean;
    /** software sets the alternate path */
    readonly alternate: boolean;
    /** address of the far end on the alternate path (undefined: unknown) */
    readonly altAddress?: string | undefined;
    /** code of the ACK timeout on the alternate path (-1: unknown) */
    readonly alt_timeout?: number | undefined;
  };
  readonly queried: {
    /** state of the QP that ibv_query_qp gives */
    readonly qp_state: 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR';
    /** path migration state that it gives */
    readonly path_mig_state: 'MIGRATED' | 'REARM' | 'ARMED';
    /** address of the far end that it gives (undefined: unknown) */
    readonly address?: string | undefined;
    /** likewise, on the alternate path (undefined: unknown) */
    readonly altAddress?: string | undefined;
    /** code of the ACK timeout on the alternate path (-1: unknown) */
    readonly alt_timeout?: number | undefined;
  };
  readonly former: {
    /** an event of the life before RESET was due and had not come */
    readonly events: boolean;
  };
  readonly event: {
    /** event of path migration */
    readonly type: 'IBV_EVENT_PATH_MIG' | 'IBV_EVENT_PATH_MIG_ERR';
    /** it has come; otherwise everything is at rest, and it comes no more */
    readonly raised: boolean;
  };
}

/** What happens to it that no rule decides. */
export type PathMigrationStep = 'modified' | 'raised' | 'rested' | 'settled';

/** Its named values. */
export type PathMigrationValue =
  | 'inUse'
  | 'overCurrent'
  | 'overAlternate'
  | 'armed'
  | 'timeoutInUse'
  | 'leavesByAlternate'
  | 'pathLeft'
  | 'onlyByNewPath'
  | 'source'
  | 'called'
  | 'lacksPath'
  | 'tellsPath'
  | 'explained'
  | 'owing'
  | 'due';
