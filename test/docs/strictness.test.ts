import { describe, expect, it } from 'vitest';
import { mutantIds } from '../../adapters/reference/mutants/ids.ts';
import { soundIds } from '../../adapters/reference/index.ts';
import { loadRules } from '../../oracle/index.ts';
import { properties } from '../../suites/index.ts';
import { readProjectFile } from '../project/files.ts';

const known: ReadonlySet<string> = new Set<string>([
  ...loadRules().rules.map(({ id }) => id),
  ...properties.map(({ id }) => id),
  ...mutantIds,
  ...soundIds,
  // no ids
  'ooo',
  'uc-srq',
  'irn',
  'fence: guard',
  'local_ca_ack_delay',
]);

describe('the page that says how strict the rules are', () => {
  const rows = readProjectFile('docs/strictness.md')
    .split('\n')
    .filter((line) => line.startsWith('| '));

  it('names rules, properties, mutants and variants that exist', () => {
    const names = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
    expect(names.length).toBeGreaterThan(60);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  it('names every conformant variant that was made for a device that was condemned', () => {
    const made = soundIds.filter(
      (id) => !['one-read', 'small-window', 'acks-together', 'more-room'].includes(id),
    );
    expect(made.filter((id) => !rows.some((row) => row.includes(`\`${id}\``)))).toEqual([]);
  });
});
