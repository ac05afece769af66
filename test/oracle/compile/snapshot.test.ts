import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lintRules } from '../../../oracle/compile/load.ts';
import { makeSnapshot, readSnapshot } from '../../../oracle/compile/snapshot.ts';
import type { Snapshot } from '../../../oracle/compile/snapshot.ts';

function repacked(packed: Uint8Array, change: (text: string) => string): Uint8Array {
  return brotliCompressSync(change(brotliDecompressSync(packed).toString()));
}

describe('the snapshot of proved rules', () => {
  let directory: string;
  let path: string;
  const digest = lintRules().rules?.digest ?? '';

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'rdma-conform-'));
    path = join(directory, 'rules.json.br');
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
    const written = JSON.parse(brotliDecompressSync(readFileSync(path)).toString()) as Snapshot;
    for (const id of lintRules().rules?.machines.keys() ?? [])
      expect(written.texts?.[id]?.program).toContain('return {');
    // these tests run the sources
    expect(readSnapshot(digest, path)?.texts).toBeUndefined();
  });

  test('does not hold for other files', () => {
    expect(readSnapshot('000000000000', path)).toBeUndefined();
  });

  test.each([
    ['cut short', (packed: Uint8Array) => packed.subarray(0, -10)],
    [
      'of another format',
      (packed: Uint8Array) => repacked(packed, (text) => text.replace('"format":3', '"format":1')),
    ],
    ['no object', (packed: Uint8Array) => repacked(packed, () => 'null')],
    ['not packed', (packed: Uint8Array) => brotliDecompressSync(packed)],
  ])('is passed over where it is %s', (_title, damage) => {
    const damaged = join(directory, 'damaged.json.br');
    writeFileSync(damaged, damage(readFileSync(path)));
    expect(readSnapshot(digest, damaged)).toBeUndefined();
  });

  test('need not be there', () => {
    expect(readSnapshot(digest, join(directory, 'none.json.br'))).toBeUndefined();
  });
});
