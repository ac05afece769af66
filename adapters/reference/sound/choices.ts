import { calls } from './calls.ts';
import { port } from './port.ts';
import { completionEvents } from './completion-events.ts';
import { events } from './events.ts';
import { fatal } from './fatal.ts';
import { recovery } from './recovery.ts';
import { receiving } from './receiving.ts';
import { room } from './room.ts';
import { sharedReceives } from './shared-receives.ts';
import { timing } from './timing.ts';

/** The sound variants that do otherwise at a seam of the device; others only have settings. */
export const variedSound: ReadonlySet<string> = new Set(
  [calls, completionEvents, events, fatal, port, receiving, recovery, room, sharedReceives, timing].flat(2),
);
