import { describe, expect, it } from 'vitest';
import { commands } from '../../cli/commands/index.ts';
import { flags } from '../../cli/flags/flags.ts';
import { commandHelp, generalHelp } from '../../cli/help.ts';
import { parseArguments } from '../../cli/flags/parse.ts';

const all = commands[0]?.flags ?? [];

describe('arguments', () => {
  it('reads values, switches, repeated flags and operands', () => {
    const args = parseArguments(
      ['--seed', '7', '--bail', '--reporter=json=a=b.json', '--reporter', 'pretty', 'x'],
      all,
    );
    expect(args.integer('seed', 0, 10)).toBe(7);
    expect(args.has('bail')).toBe(true);
    expect(args.has('strict')).toBe(false);
    expect(args.texts('reporter')).toEqual(['json=a=b.json', 'pretty']);
    expect(args.operands).toEqual(['x']);
  });

  it.each([
    ['x', 'a whole number from 0 to 10, not "x"'],
    ['1.5', 'a whole number from 0 to 10, not "1.5"'],
    ['11', 'a whole number from 0 to 10, not "11"'],
    ['0x3', 'a whole number from 0 to 10, not "0x3"'],
    ['', 'a whole number from 0 to 10, not ""'],
    ['1e', 'a whole number from 0 to 10, not "1e"'],
    ['2e1', 'a whole number from 0 to 10, not "2e1"'],
  ])('refuses the number %j', (value, message) => {
    const args = parseArguments([`--seed=${value}`], all);
    expect(() => args.integer('seed', 0, 10)).toThrow(`--seed takes ${message}`);
  });

  it.each([
    ['90', 90],
    ['.5', 0.5],
    ['90s', 90],
    ['1.5m', 90],
    ['15m', 900],
    ['2h', 7200],
  ])('takes the duration %j', (value, seconds) => {
    expect(parseArguments([`--time-limit=${value}`], all).seconds('timeLimit')).toBe(seconds);
  });

  it.each(['0', '0h', '-1', 's', '2 h', '2d', '2H', '1h30m', '1e3', '.', '9'.repeat(400), ''])(
    'refuses the duration %j',
    (value) => {
      const args = parseArguments([`--time-limit=${value}`], all);
      expect(() => args.seconds('timeLimit')).toThrow(/a duration greater than 0, such as|is empty/);
    },
  );

  it('takes a large number as one writes it', () => {
    expect(parseArguments(['--runs', '1e9'], all).integer('runs', 1, 1e9)).toBe(1e9);
  });

  it.each([
    [['--sed', '1'], 'unknown flag "--sed"; did you mean "--seed"?'],
    [['--seed'], 'flag --seed needs a value'],
    [['--seed', '--bail'], 'flag --seed needs a value'],
    [['--bail=yes'], 'does not take an argument'],
    [['-x'], 'unknown flag "-x"'],
  ])('refuses %j', (argv, message) => {
    expect(() => parseArguments(argv, all)).toThrow(message);
  });
});

describe('flags given twice', () => {
  const values = new Map(
    commands.flatMap((command) =>
      command.flags.map((key) => [`${command.name} --${flags[key].name}`, { command, key }] as const),
    ),
  );
  const single = [...values].filter(([, { key }]) => 'value' in flags[key] && !('many' in flags[key]));

  it.each(single)('%s takes one value', (_, { command, key }) => {
    const { name } = flags[key];
    const parse = (): unknown => parseArguments([`--${name}`, '1', `--${name}=1`], command.flags);
    expect(parse).toThrow(`--${name} is given twice`);
  });

  it('are all heard where they name several', () => {
    expect(parseArguments(['--rule', 'a', '--rule', 'b'], all).texts('rule')).toEqual(['a', 'b']);
    const several = [...values].filter(([, { key }]) => 'many' in flags[key]);
    for (const [, { key }] of several) expect(flags[key].says).toMatch(/may be repeated/);
  });

  it('may be switches', () => {
    expect(parseArguments(['--bail', '--bail'], all).has('bail')).toBe(true);
  });
});

describe('negative numbers', () => {
  it.each([['-1'], ['-5'], ['-.5']])('%s is a value, and none that fits', (value) => {
    const args = parseArguments(['--seed', value, '--bail'], all);
    expect(args.has('bail')).toBe(true);
    expect(() => args.integer('seed', 0, 10)).toThrow(`a whole number from 0 to 10, not "${value}"`);
  });
});

describe('help', () => {
  it('names every command, and every flag of each', () => {
    const general = generalHelp('1.2.3', 100);
    for (const command of commands) {
      expect(general).toContain(`  ${command.name}`);
      for (const key of command.flags) expect(commandHelp(command, 100)).toContain(`--${flags[key].name}`);
    }
  });

  it.each([64, 80, 120])('fits %i columns', (width) => {
    const lines = [generalHelp('1.2.3', width), ...commands.map((c) => commandHelp(c, width))]
      .join('\n')
      .split('\n');
    const tooWide = lines.filter((line) => line.length > width && !/^(Usage|Flags of)/.test(line));
    expect(tooWide).toEqual([]);
  });
});
