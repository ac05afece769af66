import { seam, type Varied } from '../seam.ts';

/** ECN bits of a packet whose sender reacts to congestion */
const ect0 = 2;

/** ECN bits that the packets of a device with congestion management leave with. */
export const ecnOf = seam((_device: Varied, _opcode: number): number => ect0);
