import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { feedCapture } from '../../cli/check/feed.ts';
import { Judge, loadRules, type Judgement, type TraceHeader } from '../../oracle/index.ts';
import { readCapture } from '../../wire/index.ts';
import { programs } from '../fixtures/captures/programs/recipes.ts';

const folder = fileURLToPath(new URL('../fixtures/captures/programs', import.meta.url));
const suffix = '.pcapng.gz';
const atClient = '-at-client';
const rules = loadRules();
const names = readdirSync(folder)
  .filter((name) => name.endsWith(suffix))
  .map((name) => name.slice(0, -suffix.length))
  .toSorted();

interface Known {
  /** QPs of which something is in doubt; each of the other captures has none */
  doubts?: number;
  /** rule, frame and reason of what is broken where the capture lacks nothing */
  complete?: readonly { rule: string; frame: number; reason: string }[];
}
const table = parse(readFileSync(join(folder, 'expected.yaml'), 'utf8')) as Readonly<Record<string, Known>>;

async function judged(
  name: string,
  header: Partial<TraceHeader> = {},
): Promise<{ judgement: Judgement; broken: { rule: string; frame: number | undefined }[]; frames: number }> {
  const sight = { packets: 'mid-path', verbs: false } as const;
  const judge = new Judge({ sight, clock: 'recorded', ...header }, rules);
  let frames = 0;
  const bytes = gunzipSync(readFileSync(join(folder, `${name}${suffix}`)));
  const { numbers } = await feedCapture(readCapture([bytes]), (event) => {
    frames++;
    judge.push(event);
  });
  const judgement = judge.finish();
  const broken = judgement.violations.map(({ rule, event }) => ({ rule, frame: numbers.frameOf(event) }));
  return { judgement, broken, frames };
}

/** What the operator of a port that saw everything says: of these two hosts, or of the client alone. */
const complete = (name: string): Partial<TraceHeader> => ({
  complete: { addresses: name.endsWith(atClient) ? ['10.77.0.2'] : [] },
});
const lossy = (name: string): boolean =>
  programs.some(({ name: recipe, atPort }) => recipe === `programs/${name}` && atPort === true);

it('has every capture that the recipes name, and no line of the table for another', () => {
  const wanted = programs.flatMap(({ name, atPort }) => [
    name,
    ...(atPort === true ? [name + atClient] : []),
  ]);
  expect(names.map((name) => `programs/${name}`)).toEqual(wanted.toSorted());
  expect(names).toEqual(expect.arrayContaining(Object.keys(table)));
});

describe.each(names)('%s', (name) => {
  it('is judged, and nothing in it is called broken', async () => {
    const { judgement, broken, frames } = await judged(name);
    expect(broken).toEqual([]);
    expect(frames).toBeGreaterThan(10);
    expect(judgement.packets).toBe(frames);
    expect(judgement.inconclusive).toHaveLength(table[name]?.doubts ?? 0);
  });
});

it.each(names.filter((name) => name.endsWith(atClient) || !lossy(name)))(
  '%s lacks nothing, and shows what is explained',
  async (name) => {
    const { broken } = await judged(name, complete(name));
    const explained = table[name]?.complete ?? [];
    expect(broken).toEqual(explained.map(({ rule, frame }) => ({ rule, frame })));
  },
);
