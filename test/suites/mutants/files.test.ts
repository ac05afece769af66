import { describe, expect, it } from 'vitest';
import { mutantIds } from '../../../adapters/reference/index.ts';
import { loadRules } from '../../../oracle/index.ts';
import { generatedIds } from '../../../suites/mutants/generate.ts';
import { loadMutants, MutantError } from '../../../suites/mutants/index.ts';
import { small } from '../../oracle/compile/fixture.ts';
import { readProjectFile } from '../../project/files.ts';

const rules = loadRules();

const sound = `
- id: rnr-silent
  says: Answers nothing where no receive WQE is posted.
  breaks: a request that finds no receive WQE is answered by an RNR NAK
  statements: [rx-rnr-nak-then-waits-epsn]
  rules: [rc-receiver-not-ready]
`.trimStart();

/** Mistakes in these files below `mutants/`, of which `x.yaml` alone is in the order. */
function mistakes(files: Readonly<Record<string, string>>, order = '- x\n'): readonly string[] {
  const named = Object.entries({ 'order.yaml': order, ...files }).map(([name, text]) => [
    `mutants/${name}`,
    text,
  ]);
  try {
    // The folder has no mutants of its own; statements and rules are the package's.
    loadMutants(rules, { directory: small, files: Object.fromEntries(named) });
  } catch (thrown) {
    if (thrown instanceof MutantError) return thrown.mistakes;
    throw thrown;
  }
  return [];
}

describe('the mutants of the package', () => {
  const mutants = loadMutants(rules);

  it('are those of the reference NIC, in the same order', () => {
    expect(mutants.map(({ id }) => id)).toEqual(mutantIds);
  });

  it('break rules each, or say why they are not judged', () => {
    expect(mutants.filter((mutant) => (mutant.rules.length === 0) !== 'notJudged' in mutant)).toEqual([]);
  });

  it.each(Object.entries(generatedIds()))('%s is up to date (npm run generate)', (name, text) => {
    expect(readProjectFile(name)).toBe(text);
  });
});

describe('files of mutants', () => {
  it('give what is written there, under the name of their file', () => {
    const files = { 'mutants/a/x.yaml': sound, 'mutants/order.yaml': '- a/x\n' };
    expect(loadMutants(rules, { directory: small, files })).toEqual([
      {
        id: 'rnr-silent',
        family: 'a/x',
        says: 'Answers nothing where no receive WQE is posted.',
        breaks: 'a request that finds no receive WQE is answered by an RNR NAK',
        statements: ['rx-rnr-nak-then-waits-epsn'],
        rules: ['rc-receiver-not-ready'],
      },
    ]);
  });

  it.each<[string, (text: string) => string, string]>([
    [
      'a rule that does not exist',
      (text) => text.replace('receiver-not', 'reciever-not'),
      '5:11: unknown rule "rc-reciever-not-ready"; did you mean "rc-receiver-not-ready"?',
    ],
    [
      'a rule that is no must rule',
      (text) => text.replace('rc-receiver-not-ready', 'rc-request-ahead, rc-event-due'),
      '5:29: "rc-event-due" is a may rule: a mutant breaks must or should rules',
    ],
    [
      'a statement that does not exist',
      (text) => text.replace('waits-epsn', 'waits-espn'),
      '4:16: unknown statement "rx-rnr-nak-then-waits-espn"; did you mean "rx-rnr-nak-then-waits-epsn"?',
    ],
    [
      'a mutant that the reference NIC does not know',
      (text) => text.replace('rnr-silent', 'rnr-silence'),
      '1:7: the reference NIC does not know mutant "rnr-silence" yet: run "npm run generate"',
    ],
    ['one id twice', (text) => text + text, '6:7: mutant "rnr-silent" is in spec/mutants/x.yaml:1 as well'],
    [
      'a key that does not exist',
      (text) => text.replace('breaks:', 'brakes:'),
      '3:3: unknown key "brakes" in 0',
    ],
    ['no rules', (text) => text.replace(/ +rules: .*\n/, ''), '1:3: "rules" is missing in 0'],
    [
      'an empty list of rules',
      (text) => text.replace(/rules: .*/, 'rules: []'),
      '5:10: needs at least 1 entry',
    ],
    [
      'rules beside the reason why there are none',
      (text) => `${text}  notJudged: The documents disagree on it.\n`,
      '5:10: has no place in 0.rules',
    ],
    ['what is no sentence', (text) => text.replace('posted.', 'posted'), '2:9: "Answers nothing where'],
    ['no list', () => 'rnr-silent: 1', '1:1: a map, where a list is needed'],
    ['no YAML', (text) => text.replace('[rc', '[{rc'), '5:'],
  ])('with %s are refused, with the place', (_title, change, message) => {
    expect(mistakes({ 'x.yaml': sound })).toEqual([]);
    expect(mistakes({ 'x.yaml': change(sound) }).join('\n')).toContain(`spec/mutants/x.yaml:${message}`);
  });

  it.each([
    ['names a file that is not there', '- x\n- y\n', '2:3: there is no file mutants/y.yaml'],
    ['leaves a file out', '[]\n', '1:1: mutants/x.yaml is not in this list'],
    ['names a file twice', '- x\n- x\n', '1:1: entries 2 and 1 are equal'],
  ])('are refused where the order %s', (_title, order, message) => {
    expect(mistakes({ 'x.yaml': sound }, order)).toEqual([`spec/mutants/order.yaml:${message}`]);
  });

  it('name each mutant once over all of them', () => {
    expect(mistakes({ 'x.yaml': sound, 'y.yaml': sound }, '- x\n- y\n')).toEqual([
      'spec/mutants/y.yaml:1:7: mutant "rnr-silent" is in spec/mutants/x.yaml:1 as well',
    ]);
  });
});
