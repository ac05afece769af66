import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadSpecYaml, specDirectory } from '../spec/load.ts';

/** What a source document says, in our words. */
export interface StatementText {
  id: string;
  text: string;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** All statements by id. */
export function loadStatements(): Map<string, StatementText> {
  const files = readdirSync(join(specDirectory, 'statements')).filter((name) => name.endsWith('.yaml'));
  const entries = files.flatMap((name) => {
    const parsed = loadSpecYaml(`statements/${name}`);
    return Array.isArray(parsed) ? parsed.filter(isRecord) : [];
  });
  const statements = new Map<string, StatementText>();
  for (const { id, statement } of entries) {
    if (typeof id === 'string' && typeof statement === 'string') statements.set(id, { id, text: statement });
  }
  return statements;
}
