import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shapeProblems } from '../../oracle/compile/shape.ts';
import type { JsonSchema } from '../../oracle/compile/schema.ts';
import { specDirectory } from '../../spec/load.ts';
import type { Scenario } from '../scenario.ts';

/** A value is not what a case file or token may hold; the message says where and what was expected. */
export class CaseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CaseError';
  }
}

let schema: JsonSchema | undefined;

/** The scenario that a value read from a file or token is. Throws CaseError where it is none, saying where. */
export function parseScenario(value: unknown, path = 'scenario'): Scenario {
  schema ??= JSON.parse(
    readFileSync(join(specDirectory, 'schema', 'scenario.schema.json'), 'utf8'),
  ) as JsonSchema;
  const [problem] = shapeProblems(schema, value);
  if (problem !== undefined) throw new CaseError(`${path}: ${problem}`);
  const parsed = value as Scenario;
  checkRegions(parsed, path);
  if (parsed.beside === undefined) return parsed;
  if (parsed.peer === 'same-device')
    throw new CaseError(`${path}: a scenario whose peer is the same device has no others beside it`);
  const { members, order } = parsed.beside;
  for (const [i, member] of members.entries()) checkRegions(member, `${path}.beside.members.${i}`);
  const nobody = order.find((who) => who > members.length);
  if (nobody !== undefined)
    throw new CaseError(`${path}.beside.order: there is no scenario ${nobody}, only 0 to ${members.length}`);
  return parsed;
}

function checkRegions({ steps, regions }: Pick<Scenario, 'steps' | 'regions'>, path: string): void {
  for (const [i, step] of steps.entries()) {
    const target = step.do === 'inject' ? step.packet.target : undefined;
    const named =
      step.do === 'dereg_mr' ? step.region : target?.of === undefined ? target?.region : undefined;
    if (named !== undefined && named >= regions.length)
      throw new CaseError(`${path}: there is no region ${named}, which steps.${i} names`);
  }
}
