export { FaultWire, type FaultWireOptions } from './fault-wire.ts';
export type {
  DamagedPart,
  Direction,
  RewriteField,
  WireAction,
  WireFate,
  WireFault,
  WireMatch,
} from './plan.ts';
export { damaged } from './damage.ts';
export { isOfClass, type PacketClass } from './classify.ts';
