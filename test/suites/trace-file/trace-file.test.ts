import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeTrace, loadRules, type TraceEvent, type TraceHeader } from '../../../oracle/index.ts';
import { generateChunk, properties } from '../../../suites/index.ts';
import { TraceFileError, TraceReader } from '../../../suites/trace-file/read.ts';
import { traceLines } from '../../../suites/trace-file/write.ts';
import { BenchSession } from '../../../suites/driver/index.ts';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import { drive } from '../../../suites/corpus/drive.ts';
import { same } from '../../../suites/corpus/same.ts';
import { readProjectFile } from '../../project/files.ts';

const adapter = referenceAdapter();
const profile = await adapter.describe();
const rules = loadRules();
const validate = new Ajv({ strict: false }).compile(
  JSON.parse(readProjectFile('spec/schema/trace.schema.json')) as object,
);

interface Read {
  name: string | undefined;
  header: TraceHeader;
  events: TraceEvent[];
}

function read(lines: Iterable<string>): Read[] {
  const reader = new TraceReader();
  const traces: Read[] = [];
  for (const text of lines) {
    const line = reader.read(text);
    if (line?.kind === 'begin') traces.push({ name: line.name, header: line.header, events: [] });
    else if (line !== undefined) traces.at(-1)?.events.push(line.event);
  }
  return traces;
}

async function trace(index: number): Promise<{ header: TraceHeader; events: readonly TraceEvent[] }> {
  const property = properties[index % properties.length];
  if (property === undefined) throw new Error('there are no properties');
  const able = (property.requires ?? []).every((word) => profile.capabilities.includes(word));
  const [made] = able ? generateChunk(property, profile, index, 0, 1) : [];
  if (made === undefined) return trace(index + 1);
  const { drive: driven } = await drive({ BenchSession }, adapter, made.scenario);
  return driven ?? trace(index + 1);
}

const begin = '{"trace":1,"header":{"sight":{"packets":"at-device","verbs":true},"clock":"virtual"}}';

describe('a trace file', () => {
  it('holds a trace as it was, so that it is judged the same', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.nat(5000), async (index) => {
        const { header, events } = await trace(index);
        const lines = [...traceLines(header, events, 'a/b 1'), ...traceLines(header, events)];
        for (const line of lines) expect(validate(JSON.parse(line))).toBe(true);
        const [first, second, ...more] = read(lines);
        expect([first?.name, second?.name, more]).toEqual(['a/b 1', undefined, []]);
        expect(same(first?.header, header)).toBe(true);
        const judged = judgeTrace(header, events, rules);
        for (const one of [first, second])
          expect(same(one && judgeTrace(one.header, one.events, rules), judged)).toBe(true);
        for (const { kind } of events) seen.add(kind);
      }),
      { numRuns: 60 },
    );
    expect([...seen]).toEqual(expect.arrayContaining(['packet', 'call', 'completion', 'memory', 'settled']));
  });

  it.each<[string, string, RegExp]>([
    ['no JSON', `${begin}\n{"kind":`, /^line 2: no JSON/],
    ['no header', '{"kind":"settled","t":0}', /^line 1: .*a trace begins with/],
    ['another version', '{"trace":2,"header":{}}', /^line 1: trace\.trace must be 1, not 2/],
    ['a header without sight', '{"trace":1,"header":{"clock":"real"}}', /header\.sight is missing/],
    ['a kind that is none', `${begin}\n\n{"kind":"foo","t":0}`, /^line 3: event\.kind must be .*not "foo"/],
    [
      'a key too many',
      `${begin}\n{"kind":"settled","t":0,"foo":1}`,
      /event\.foo is unknown; there are: kind, t$/,
    ],
    [
      'a call that is none',
      `${begin}\n{"kind":"call","t":0,"start":0,"call":"x"}`,
      /event\.call must be .*not "x"/,
    ],
    [
      'a wrong field of a call',
      `${begin}\n{"kind":"call","t":0,"start":0,"call":"destroy_qp","qp":"3"}`,
      /event\.qp must be an integer/,
    ],
    [
      'time that runs backwards',
      `${begin}\n{"kind":"settled","t":5}\n{"kind":"settled","t":4}`,
      /^line 3: event\.t/,
    ],
    [
      'a call that returns before it began',
      `${begin}\n{"kind":"link","t":1,"start":2,"up":true}`,
      /event\.start/,
    ],
    [
      'no packet where the direction is unknown',
      `${begin}\n{"kind":"frame","t":0,"direction":"unknown","frame":"AAAA"}`,
      /event\.frame must be a RoCEv2 packet/,
    ],
  ])('is refused with line and field: %s', (_, text, message) => {
    expect(() => read(text.split('\n'))).toThrow(TraceFileError);
    expect(() => read(text.split('\n'))).toThrow(message);
  });

  it('begins its times anew with each trace', () => {
    const one = `${begin}\n{"kind":"settled","t":5}`;
    expect(read(`${one}\n${one}`.split('\n')).map(({ events }) => events.length)).toEqual([1, 1]);
  });

  it('has a schema that refuses what the reader refuses', () => {
    for (const wrong of [
      { kind: 'foo', t: 0 },
      { kind: 'settled' },
      { kind: 'call', t: 0, start: 0, call: 'x' },
      {},
    ])
      expect(validate(wrong)).toBe(false);
  });
});
