import { readSlots } from '../rc-requester/launch.ts';
import { choicesAt } from '../seam.ts';

/** Requesters that choose otherwise when they send. */
export const timing = [
  choicesAt(readSlots, { 'one-read': (sound, core, qp) => Math.min(1, sound(core, qp)) }),
];
