// Prints, one a line, the flags of a second run that tries only what a first one found: the rules that broke, where every finding came
// of a property that aims at its rule, and so is tried again. Prints nothing where only a whole run would do: a known divergence that
// did not show, or a finding by the way. Argument: the file of the json reporter.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const command = new URL('../dist/cli/main.js', import.meta.url).pathname;
const { failures, unexpectedPasses } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const found = failures.filter(({ known, level }) => known === false && level === 'must');
const properties = (rule) =>
  execFileSync(process.execPath, [command, '--list', '--rule', rule], { encoding: 'utf8' }).split(/\s+/);
const aimedAt = ({ rule, property }) => properties(rule).includes(property);
if (found.length > 0 && unexpectedPasses.length === 0 && found.every(aimedAt)) {
  for (const rule of new Set(found.map(({ rule }) => rule))) console.log(`--rule=${rule}`);
  console.log('--runs=400');
}
