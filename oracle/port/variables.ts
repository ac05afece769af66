/** Generated from spec/machines/port/machine.yaml by `npm run generate`; do not edit. */

/** State of the machine port; `start` of the machine gives every variable its first value. */
export class PortVariables {
  /** link of the port */
  link: 'up' | 'down' = 'up';
  /** the device has raised an event of the port */
  raises: boolean = false;
  /** GID table: as it was when everything was last at rest, changed since, or changed and an event has said so */
  gids: 'same' | 'changed' | 'reported' = 'same';
  /** port that QPs were set to last (-1: unknown) */
  used: number = -1;
  /** entries of the P_Key table (-1: unknown) */
  pkeys: number = -1;
  /** QPs were set to different ports */
  several: boolean = false;
}

/** What its expressions read of an event. */
export interface PortInputs {
  readonly link: {
    /** the link is taken up */
    readonly up: boolean;
  };
  readonly change: {
    /** change of the link whose event has not come, of the kind that the event tells (undefined: unknown) */
    readonly pending?: 'up' | 'down' | undefined;
  };
  readonly changes: {
    /** changes of the link whose event has not come */
    readonly pending: number;
  };
  readonly sight: {
    /** nobody else changes the link */
    readonly alone: boolean;
  };
  readonly event: {
    /** the event has come */
    readonly raised: boolean;
    /** port that the event names */
    readonly port: number;
  };
  readonly gid: {
    /** the address that is looked for was given to the port, and not taken away */
    readonly present: boolean;
    /** ibv_query_gid gives it at some index */
    readonly listed: boolean;
  };
  readonly manager: {
    /** what the event says of the subnet manager, or of what it gives */
    readonly event: 'lid' | 'manager' | 'registration' | 'pkey';
  };
  readonly call: {
    /** port_num that ibv_modify_qp sets */
    readonly port: number;
  };
  readonly leaving: {
    /** the link is down, and what is recorded now happens now */
    readonly unlinked: boolean;
    /** something leaves the port */
    readonly some: boolean;
  };
  readonly attr: {
    /** state that ibv_query_port gives */
    readonly state:
      | 'IBV_PORT_NOP'
      | 'IBV_PORT_DOWN'
      | 'IBV_PORT_INIT'
      | 'IBV_PORT_ARMED'
      | 'IBV_PORT_ACTIVE'
      | 'IBV_PORT_ACTIVE_DEFER';
    /** bytes of the longest message */
    readonly max_msg_sz: number;
    /** bytes of the MTU */
    readonly active_mtu: number;
    /** entries of the P_Key table */
    readonly pkey_tbl_len: number;
  };
  readonly device: {
    /** IBV_DEVICE_PORT_ACTIVE_EVENT of ibv_query_device */
    readonly port_active_event: boolean;
  };
  readonly pkey: {
    /** entry that ibv_query_pkey is asked for */
    readonly index: number;
    /** P_Key that it gives; unknown where it fails (-1: unknown) */
    readonly value?: number | undefined;
  };
  readonly port: {
    /** attribute that is looked at */
    readonly attribute: 'state' | 'max-msg-sz' | 'pkey-tbl-len';
  };
}

/** What happens to it that no rule decides. */
export type PortStep =
  'linkChanged' | 'eventRaised' | 'gidSet' | 'gidsReported' | 'rested' | 'portQueried' | 'portSet';

/** Its named values. */
export type PortValue = 'defaultPkey' | 'longest' | 'active';
