// `npm run words`: texts that people read have none of the words of words.yaml.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { loadWords, wordsIn } from './find.ts';

/** Pages, texts of rules, and what the program prints. */
const read =
  /^(?:[^/]+\.md|docs\/.*\.md|examples\/.*\.md|spec\/.*\.(?:md|yaml)|(?:cli|report|suites|oracle|adapters)\/.*\.(?:ts|yaml))$/;
/** Paraphrases of documents; what is generated from other texts; conditions that are expressions. */
const apart = /^spec\/statements\/|^docs\/reference\/(?:machines\/|vocabulary\.md)/;

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
  encoding: 'utf8',
});
const words = loadWords();
const found = listed
  .split('\0')
  .filter((path) => read.test(path) && !apart.test(path) && existsSync(path))
  .flatMap((path) => wordsIn(path, readFileSync(path, 'utf8'), words));
for (const line of found) process.stderr.write(`${line}\n`);
process.exitCode = found.length === 0 ? 0 : 1;
