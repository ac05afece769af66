/** Generated from spec/machines/route/machine.yaml by `npm run generate`; do not edit. */

/** State of the machine route; `start` of the machine gives every variable its first value. */
// oxlint-disable-next-line typescript/no-extraneous-class -- a machine without state, as others have it
export class RouteVariables {}

/** What its expressions read of an event. */
export interface RouteInputs {
  readonly packet: {
    /** upper six bits of the traffic class of the packet, or of its type of service */
    readonly dscp: number;
    /** its hop limit, or time to live */
    readonly hopLimit: number;
    /** its flow label, which IPv4 has none of (-1: unknown) */
    readonly flowLabel?: number | undefined;
  };
  readonly asked: {
    /** upper six bits of the traffic class of the path */
    readonly dscp: number;
    /** hop limit of the path; unknown where software has set none (-1: unknown) */
    readonly hopLimit?: number | undefined;
    /** flow label of the path */
    readonly flowLabel: number;
  };
}

/** What happens to it that no rule decides. */
export type RouteStep = never;

/** Its named values. */
export type RouteValue = never;
