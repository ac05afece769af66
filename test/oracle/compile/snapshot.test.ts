import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lintRules } from '../../../oracle/compile/load.ts';
import { makeSnapshot, readSnapshot } from '../../../oracle/compile/snapshot.ts';
import type { Snapshot } from '../../../oracle/compile/snapshot.ts';

describe('the snapshot of proved rules', () => {
  let directory: string;
  let path: string;
  const digest = lintRules().rules?.digest ?? '';

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'rdma-conform-'));
    path = join(directory, 'rules.json');
    writeFileSync(path, makeSnapshot());
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  test('holds the very rules that the compiler makes', () => {
    const tables = readSnapshot(digest, path)?.rules.tables;
    const compiled = lintRules().rules;
    expect(tables?.map(({ draft }) => draft.table)).toEqual([...(compiled?.tables.keys() ?? [])]);
    for (const { draft, facts } of tables ?? []) {
      const table = compiled?.tables.get(draft.table);
      expect(facts).toEqual(table?.facts);
      expect(
        draft.rules.map((rule, i) => ({ ...rule, table: draft.table, index: table?.rules[i]?.index })),
      ).toEqual(table?.rules);
    }
  });

  test('holds the machines', () => {
    const drafts = [...(lintRules().rules?.machines.values() ?? [])].map(({ draft }) => draft);
    expect(readSnapshot(digest, path)?.rules.machines).toEqual(JSON.parse(JSON.stringify(drafts)));
  });

  test('holds the text of machines, for the code that wrote it', () => {
    const written = JSON.parse(readFileSync(path, 'utf8')) as Snapshot;
    for (const id of lintRules().rules?.machines.keys() ?? [])
      expect(written.texts?.[id]?.program).toContain('return {');
    // these tests run the sources
    expect(readSnapshot(digest, path)?.texts).toBeUndefined();
  });

  test('does not hold for other files', () => {
    expect(readSnapshot('000000000000', path)).toBeUndefined();
  });

  test.each([
    ['cut short', (text: string) => text.slice(0, -10)],
    ['of another format', (text: string) => text.replace('"format":3', '"format":1')],
    ['no object', () => 'null'],
  ])('is passed over where it is %s', (_title, damage) => {
    const damaged = join(directory, 'damaged.json');
    writeFileSync(damaged, damage(makeSnapshot()));
    expect(readSnapshot(digest, damaged)).toBeUndefined();
  });

  test('need not be there', () => {
    expect(readSnapshot(digest, join(directory, 'none.json'))).toBeUndefined();
  });
});
