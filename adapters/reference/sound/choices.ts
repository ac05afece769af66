import { port } from './port.ts';
import { timing } from './timing.ts';

/** The sound variants that do otherwise at a seam of the device; others only have settings. */
export const variedSound: ReadonlySet<string> = new Set([port, timing].flat(2));
