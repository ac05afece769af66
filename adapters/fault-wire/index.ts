export { FaultWire } from './fault-wire.ts';
export type { DamagedPart, Direction, WireAction, WireFate, WireFault, WireMatch } from './plan.ts';
export { damaged } from './damage.ts';
export type { PacketClass } from './classify.ts';
