/**
 * What an adapter is made of: the interface, its errors, and the reference NIC to wrap or to speak to. A module
 * for `--adapter ./mine.ts` exports an Adapter as default.
 */
export { AdapterBroken, AdapterUnavailable, DeviceDied, VerbsError } from './adapter.ts';
export type {
  Adapter,
  Bench,
  Capability,
  Clock,
  Endpoint,
  OpenOptions,
  Profile,
  RegisteredMr,
  Timer,
  Verbs,
  Wire,
} from './adapter.ts';
export { VirtualClock } from './virtual-clock.ts';
export {
  defaultConfig,
  mutantIds,
  referenceAdapter,
  ReferenceNic,
  type MutantId,
  type ReferenceConfig,
  type ReferenceNicOptions,
  type ReferenceOptions,
} from './reference/index.ts';
export type {
  AccessFlag,
  AsyncEvent,
  QpAttr,
  QpCap,
  QpState,
  QpType,
  RecvWr,
  SendWr,
  Sge,
  Wc,
} from '../spec/verbs.ts';
