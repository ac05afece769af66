import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Errors that tell of mistakes in the YAML, each with file, line and column: where the program was does not matter. */
const ofData = new Set(['RuleError', 'MutantError', 'CoverageError']);

/**
 * Runs `act` if the module at `url` is the script that was started. Mistakes in the YAML are printed as `rules lint` prints them, and the
 * exit code is 78; any other error is thrown.
 */
export async function asScript(url: string, act: () => Promise<void> | void): Promise<void> {
  const script = process.argv[1];
  if (script === undefined || !existsSync(script) || realpathSync(script) !== fileURLToPath(url)) return;
  try {
    await act();
  } catch (thrown) {
    if (!(thrown instanceof Error) || !ofData.has(thrown.name)) throw thrown;
    process.stderr.write(`${thrown.message}\n`);
    process.exitCode = 78;
  }
}
