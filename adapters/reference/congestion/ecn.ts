import { seam, type Faulty } from '../seam.ts';

/** ECN bits of a packet whose sender heeds congestion */
const ect0 = 2;

/** ECN bits that the packets of a device with congestion management leave with. */
export const ecnOf = seam((_device: Faulty, _opcode: number): number => ect0);
