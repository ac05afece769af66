import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CaseError } from './validate.ts';
import { parseCase, type ReplayCase } from './token.ts';
import { writeWhole } from './whole.ts';

const format = 'rdma-conform/case/1';

/** Path of a case below `directory`. The name tells the rule, or that it ends in an error, and what is in it. */
export function caseFile(
  directory: string,
  {
    rule = 'error',
    signature,
    adapter,
    scenario,
  }: Pick<ReplayCase, 'rule' | 'signature' | 'adapter'> & { scenario: unknown },
): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([adapter, scenario, ...(signature === undefined ? [] : [signature])]))
    .digest('hex')
    .slice(0, 10);
  return join(directory, `${rule}-${hash}.json`);
}

type Seen = { expected: string; observed: string; unconfirmed?: true } | { error: string };

/** What the file of a case holds. */
export function caseText(found: ReplayCase, seen: Seen): string {
  const { rule, signature, property, adapter, scenario } = found;
  const content = { format, rule, signature, property, adapter, ...seen, scenario };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

/** Writes a case below `directory` and gives the file's path. `unconfirmed`: it was seen, and neither shrunk nor seen again. */
export function writeCase(directory: string, found: ReplayCase, seen: Seen): string {
  const file = caseFile(directory, found);
  writeWhole(file, caseText(found, seen));
  return file;
}

/** Whether a file holds a case that was only seen. */
export function isUnconfirmed(file: string): boolean {
  try {
    return /^ {2}"unconfirmed": true,$/m.test(readFileSync(file, 'utf8'));
  } catch {
    return false;
  }
}

/** What else is JSON here says so by its `schema`: a report, or a file of it. */
function mustBeCase(value: unknown): void {
  const word = (name: string): unknown =>
    typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  const [named, schema] = [word('format'), word('schema')];
  if (named === format) return;
  if (typeof schema === 'string')
    throw new CaseError(`it is no case, but ${schema}, whose findings name their token and their case file`);
  throw new CaseError(`it is no case: "format" must be ${format}, not ${JSON.stringify(named) ?? 'absent'}`);
}

/** Reads a case file. Throws CaseError, which names the file. */
export function readCase(file: string): ReplayCase {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CaseError(`${file}: ${error instanceof SyntaxError ? 'no JSON: ' : ''}${why}`);
  }
  try {
    mustBeCase(value);
    return parseCase(value, 'case');
  } catch (error) {
    throw error instanceof CaseError ? new CaseError(`${file}: ${error.message}`) : error;
  }
}

/** A case file that is listed; nothing where another run in this folder has taken it away since. */
function readListed(file: string): { file: string; found: ReplayCase }[] {
  try {
    return [{ file, found: readCase(file) }];
  } catch (thrown) {
    if (existsSync(file)) throw thrown;
    return [];
  }
}

/** The cases of a directory, sorted by file name; none where there is no such directory. */
export function readCases(directory: string): { file: string; found: ReplayCase }[] {
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory).filter((name) => name.endsWith('.json'));
  return names.toSorted().flatMap((name) => readListed(join(directory, name)));
}
