// Prints "PASSED FAILED" of a run of vitest, and on stderr what did not pass. Every test counts once; a skipped one and a file that
// does not load count as failed. Arguments: the file of vitest's json reporter; where there is one, the file of a second run of the
// files that failed: what passes there has passed, and is told. With "--files": prints the files to run again instead.
import { existsSync, readFileSync } from 'node:fs';

const [first, second] = process.argv.slice(2).filter((word) => word !== '--files');
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const fullNames = (run, wanted) =>
  run.testResults
    .flatMap((file) => file.assertionResults)
    .filter(({ status }) => wanted(status))
    .map(({ fullName }) => fullName);
const unloaded = (run) =>
  run.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);

try {
  const run = read(first);
  if (process.argv.includes('--files')) {
    for (const { name, status } of run.testResults) if (status === 'failed') console.log(name);
  } else {
    const healed = new Set(existsSync(second ?? '') ? fullNames(read(second), (s) => s === 'passed') : []);
    const failed = fullNames(run, (status) => status === 'failed');
    const skipped = fullNames(run, (status) => status !== 'failed' && status !== 'passed');
    for (const name of failed)
      console.error(
        healed.has(name) ? `test failed once, and passed in a second run: ${name}` : `test failed: ${name}`,
      );
    for (const name of skipped) console.error(`skipped in CI: ${name}`);
    const lost = unloaded(run);
    for (const { name, message } of lost) console.error(`not loaded: ${name} ${message.slice(0, 300)}`);
    const again = failed.filter((name) => healed.has(name)).length;
    const bad = failed.length - again + skipped.length + lost.length;
    const untold = !run.success && failed.length + skipped.length + lost.length === 0;
    if (untold) console.error('vitest itself failed');
    console.log(run.numPassedTests + again, bad + (untold ? 1 : 0));
  }
} catch (error) {
  console.error(`no result of the tests: ${error.message}`);
  if (!process.argv.includes('--files')) console.log(0, 1);
}
