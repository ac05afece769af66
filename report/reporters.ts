import { ctrfCheck, ctrfRun } from './formats/ctrf.ts';
import { githubCheck, githubRun } from './formats/github.ts';
import { htmlCheck, htmlRun } from './html/index.ts';
import { jsonReport } from './formats/json.ts';
import { junitCheck, junitRun } from './formats/junit.ts';
import { knownCheck, knownRun } from './formats/known.ts';
import { markdownCheck, markdownRun } from './formats/markdown.ts';
import { ndjsonCheck, ndjsonRun } from './formats/ndjson.ts';
import { prettyCheck } from './pretty-check.ts';
import { prettyRun } from './formats/pretty.ts';
import type { Reporter } from './reporter.ts';
import { sarifCheck, sarifRun } from './formats/sarif.ts';
import { tapCheck, tapRun } from './formats/tap.ts';
import { upstreamCheck, upstreamFiles, upstreamRun } from './formats/upstream.ts';

/** Every reporter, by the name that `--reporter` takes. */
export const reporters: readonly Reporter[] = [
  { name: 'pretty', says: 'text for people', run: prettyRun, check: prettyCheck },
  { name: 'html', says: 'one page for a browser, all in one file', run: htmlRun, check: htmlCheck },
  {
    name: 'json',
    says: 'everything, as spec/schema/results.schema.json says',
    run: jsonReport,
    check: jsonReport,
  },
  { name: 'ndjson', says: 'the same as lines of JSON', run: ndjsonRun, check: ndjsonCheck },
  { name: 'junit', says: 'JUnit XML, one test case per rule', run: junitRun, check: junitCheck },
  { name: 'tap', says: 'Test Anything Protocol 14', run: tapRun, check: tapCheck },
  { name: 'ctrf', says: 'Common Test Report Format', run: ctrfRun, check: ctrfCheck },
  { name: 'sarif', says: 'SARIF 2.1.0, located at the lines of the rules', run: sarifRun, check: sarifCheck },
  { name: 'markdown', says: 'summary for a pull request or a job', run: markdownRun, check: markdownCheck },
  { name: 'known', says: 'what is new, as a list for --known', run: knownRun, check: knownCheck },
  {
    name: 'upstream',
    says: 'a text for each cause, ready to send to those who maintain the device; =FOLDER writes a file for each, and a reproducer in C',
    run: upstreamRun,
    check: upstreamCheck,
    files: upstreamFiles,
  },
  { name: 'github', says: 'annotations of GitHub Actions', run: githubRun, check: githubCheck },
];
