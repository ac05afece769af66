/** The built-in RC device: reference for others, live peer of any device, and its mutants. */
export { ReferenceNic } from './device/device.ts';
export type { ReferenceNicOptions } from './device/device.ts';
export { referenceAdapter } from './adapter.ts';
export type { ReferenceOptions } from './adapter.ts';
export { defaultConfig } from './config.ts';
export type { ReferenceConfig } from './config.ts';
export { addressOfGid, gidOfAddress } from './device/addressing.ts';
export { isMutantId, mutants } from './mutants/table.ts';
export type { Mutant, MutantId } from './mutants/table.ts';
