// Prints, one a line, the rules in which a run differs from its list of known divergences: broken and not on the list, or on it and
// kept. Argument: the file of the json reporter.
import { readFileSync } from 'node:fs';

const { rules, unexpectedPasses } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const broken = rules.filter(({ verdict, known }) => verdict === 'fail' && known === undefined);
for (const { id } of broken) console.log(`${id} (new)`);
for (const pass of unexpectedPasses) console.log(`${typeof pass === 'string' ? pass : pass.rule} (gone)`);
