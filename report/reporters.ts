import { jsonReport } from './json.ts';
import { junitCheck, junitRun } from './junit.ts';
import { prettyCheck } from './pretty-check.ts';
import { prettyRun } from './pretty.ts';
import type { Reporter } from './reporter.ts';

/** Every reporter, by the name that `--reporter` takes. */
export const reporters: readonly Reporter[] = [
  { name: 'pretty', says: 'text for people', run: prettyRun, check: prettyCheck },
  {
    name: 'json',
    says: 'everything, as spec/schema/results.schema.json says',
    run: jsonReport,
    check: jsonReport,
  },
  { name: 'junit', says: 'JUnit XML, one test case per rule', run: junitRun, check: junitCheck },
];
