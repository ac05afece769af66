// Prints "PASSED FAILED" of a run of vitest, and on stderr what did not pass. Every test counts once; a skipped one and a file that
// does not load count as failed. Argument: the file of vitest's json reporter.
import { readFileSync } from 'node:fs';

try {
  const run = JSON.parse(readFileSync(process.argv[2], 'utf8'));
  const odd = run.testResults
    .flatMap((file) => file.assertionResults)
    .filter(({ status }) => status !== 'passed');
  for (const { status, fullName } of odd)
    console.error(status === 'failed' ? `test failed: ${fullName}` : `skipped in CI: ${fullName}`);
  const unloaded = run.testResults.filter((f) => f.status === 'failed' && f.assertionResults.length === 0);
  for (const { name, message } of unloaded) console.error(`not loaded: ${name} ${message.slice(0, 300)}`);
  const bad = odd.length + unloaded.length;
  if (!run.success && bad === 0) console.error('vitest itself failed');
  console.log(run.numPassedTests, bad + (!run.success && bad === 0 ? 1 : 0));
} catch (error) {
  console.error(`no result of the tests: ${error.message}`);
  console.log(0, 1);
}
