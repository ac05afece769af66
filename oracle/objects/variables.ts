/** Generated from spec/machines/objects/machine.yaml by `npm run generate`; do not edit. */

/** State of the machine objects; `start` of the machine gives every variable its first value. */
// oxlint-disable-next-line typescript/no-extraneous-class -- a machine without state, as others have it
export class ObjectsVariables {}

/** What its expressions read of an event. */
export interface ObjectsInputs {
  readonly room: {
    /** what room was made in; queue: of a QP; unused: the receive queue of a QP that is on an SRQ */
    readonly of: 'cq' | 'srq' | 'queue' | 'unused';
    /** room that software asked for */
    readonly asked: number;
    /** room that the device says it has made */
    readonly given: number;
  };
  readonly destroyed: {
    /** object that software asks to destroy */
    readonly object: 'qp' | 'cq' | 'srq' | 'mr' | 'mw' | 'pd';
    /** another object that the trace has made needs it */
    readonly used: boolean;
  };
  readonly number: {
    /** the device has other QPs that the trace has made */
    readonly others: boolean;
    /** one of them has the number that a new QP gets */
    readonly taken: boolean;
  };
  readonly call: {
    /** the call failed */
    readonly refused: boolean;
  };
  readonly remains: {
    /** what a QP that was destroyed is seen to do */
    readonly seen: 'none' | 'packet' | 'completion';
    /** what it might do */
    readonly of: 'packet' | 'completion';
    /** it was done behind the call for sure */
    readonly late: boolean;
  };
}

/** What happens to it that no rule decides. */
export type ObjectsStep = never;

/** Its named values. */
export type ObjectsValue = never;
