import type { ReferenceConfig } from '../config.ts';
import type { MutantId } from './table.ts';

/** Settings of the device around some mutants, without which their fault could not show, or hardly. */
export const mutantSettings: Readonly<Partial<Record<MutantId, Partial<ReferenceConfig>>>> = {
  'min-timeout-not-raised': { minTimeout: 6 },
  'timer-restarted-by-ghosts': { timeoutFactor: 4 },
  'implied-nak-not-counted': { impliedNak: 'each' },
};
