import type { RuleSet } from '../rules.ts';
import { FactRow } from '../rulebook/fact-row.ts';
import type { FactSlot } from '../rulebook/fact-row.ts';
import { requiredTable } from '../rulebook/outcome.ts';
import { migrationTables } from '../path-migration/tables.ts';
import { responderMachine } from './machine.ts';
import type { RequestView } from './request.ts';
import { access, opens } from './words/access.ts';
import { elements } from './words/elements.ts';
import { invalidation } from './words/invalidation.ts';
import { localMemory } from './words/local-memory.ts';
import { record } from './words/record.ts';
import { sourceOver } from './words/source.ts';

/** Fills in the facts of one table for one request. */
export type FactFiller = { row: FactRow; fill: (request: RequestView) => void };

/** Fact fillers of any table that a request passes: the machine gives facts their meaning, but for the built-in ones. */
export function responderFacts(rules: RuleSet): (table: string) => FactFiller {
  const machine = responderMachine(rules);
  const builtIn: Readonly<Record<string, (request: RequestView, slot: FactSlot) => void>> = {
    access,
    opens,
    localMemory,
    elements,
    invalidation,
    record,
    source: sourceOver(migrationTables(rules)),
  };
  return (table) => {
    const row = new FactRow(requiredTable(rules, table));
    const names = row.table.facts.map(({ name }) => name);
    const read = machine.filler(
      row,
      names.filter((name) => builtIn[name] === undefined),
    );
    const words = names.flatMap((name) => {
      const word = builtIn[name];
      return word === undefined ? [] : [{ word, slot: row.slot(name) }];
    });
    return {
      row,
      fill: (request) => {
        read(request, request.state);
        for (const { word, slot } of words) word(request, slot);
      },
    };
  };
}
