/** Switches on the way between devices, on any clock. */
export { PathSwitch, type Hop, type PathSwitchOptions } from './path-switch.ts';
export type { SwitchFault } from './faults.ts';
export { Marker, markingProbability } from './marking.ts';
export { ecnBits, withEcnBits } from './ecn-bits.ts';
export { OutputQueue, type Waiting } from './output-queue.ts';
