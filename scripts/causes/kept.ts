import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { RunResult } from '../../report/results.ts';

/** What the causes of a run are made of, and no more: a run on every mutant fits in a folder. */
function trimmed(result: RunResult): RunResult {
  return {
    ...result,
    adapter: { name: result.adapter.name, profile: {} },
    properties: [],
    notJudged: [],
    rules: result.rules
      .filter(({ exercised }) => exercised > 0)
      .map((rule) => ({ ...rule, says: '', statements: [] })),
  };
}

/** The run that a folder keeps under a name, or else a new one, which it keeps from then on; with no folder always a new one. */
export async function keptOr(
  folder: string | undefined,
  name: string,
  run: () => Promise<RunResult>,
): Promise<RunResult> {
  if (folder === undefined) return run();
  const file = join(folder, `${name}.json.br`);
  if (existsSync(file)) return JSON.parse(brotliDecompressSync(readFileSync(file)).toString()) as RunResult;
  const result = trimmed(await run());
  mkdirSync(folder, { recursive: true });
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  writeFileSync(file, brotliCompressSync(JSON.stringify(result), { params }));
  return result;
}
