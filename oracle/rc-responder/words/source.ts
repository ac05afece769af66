import { arrivalOver } from '../../path-migration/tables.ts';
import type { MigrationTables } from '../../path-migration/tables.ts';
import type { FactSlot } from '../../rulebook/fact-row.ts';
import type { RequestView } from '../request.ts';

/** The fact `source`: what path migration makes of where a packet comes from. Built in, since another machine decides it. */
export function sourceOver(paths: MigrationTables): (request: RequestView, slot: FactSlot) => void {
  return ({ qp, state, packet }, slot) => {
    slot.set(arrivalOver(paths, qp, state.migration, packet).source);
  };
}
