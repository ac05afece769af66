/** The built-in RC device: reference for others, live peer of any device, and its mutants. */
export { ReferenceNic } from './nic.ts';
export type { ReferenceNicOptions } from './nic.ts';
export { referenceAdapter } from './adapter.ts';
export type { ReferenceOptions } from './adapter.ts';
export { defaultConfig } from './config.ts';
export type { ReferenceConfig } from './config.ts';
export { gidOfAddress } from './device/port/addressing.ts';
export { isMutantId } from './mutant.ts';
export type { MutantId } from './mutant.ts';
export { mutantIds } from './mutants/ids.ts';
export { isSoundId } from './variant.ts';
export type { SoundId } from './variant.ts';
export { soundIds } from './sound/ids.ts';
