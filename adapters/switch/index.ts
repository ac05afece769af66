/** Switches on the way between devices, on any clock. */
export { PathSwitch, type Hop } from './path-switch.ts';
export { Marker, markingProbability } from './marking.ts';
export { ecnBits, withEcnBits } from './ecn-bits.ts';
