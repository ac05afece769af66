/** Generated from spec/machines/device/machine.yaml by `npm run generate`; do not edit. */

/** State of the machine device; `start` of the machine gives every variable its first value. */
export class DeviceVariables {
  /** what it was given since it last came to rest */
  given: 'nothing' | 'calls' | 'frames' = 'nothing';
  /** what it had been given then */
  before: 'calls' | 'frames' = 'calls';
}

/** What its expressions read of an event. */
export interface DeviceInputs {
  readonly frame: {
    /** what is wrong with a frame, the outermost first */
    readonly fault:
      'sound' | 'ethertype' | 'ip-header' | 'udp-header' | 'transport' | 'oversized' | 'udp-checksum';
  };
  /** the device answers no more */
  readonly gone: boolean;
}

/** What happens to it that no rule decides. */
export type DeviceStep = 'frameCame' | 'called' | 'rested';

/** Its named values. */
export type DeviceValue = never;
