export { FaultWire, type FaultWireOptions } from './fault-wire.ts';
export type { Direction, RewriteField, WireAction, WireFault, WireMatch } from './plan.ts';
export { isOfClass, type PacketClass } from './classify.ts';
