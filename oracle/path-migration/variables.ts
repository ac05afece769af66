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
}

/** What its expressions read of an event. */
export interface PathMigrationInputs {
  readonly packet: {
    /** MigReq of the BTH */
    readonly migReq: boolean;
    /** source address */
    readonly srcIp: string;
  };
  readonly qp: {
    /** address of the far end on the primary path (undefined: unknown) */
    readonly peerAddress?: string | undefined;
  };
  readonly attr: {
    /** state that software asks for */
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
}

/** What happens to it that no rule decides. */
export type PathMigrationStep = 'modified';

/** Its named values. */
export type PathMigrationValue = 'inUse' | 'overCurrent' | 'overAlternate' | 'armed';

/** Names of all its variables, in the order of the YAML. */
export const pathMigrationVariables = [
  'pathState',
  'loaded',
  'alternate',
  'alternateTimeout',
  'migrated',
  'current',
  'currentTimeout',
] as const;
