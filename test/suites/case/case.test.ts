import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import {
  CaseError,
  decodeToken,
  encodeToken,
  parseScenario,
  properties,
  readCase,
  readCases,
  TokenError,
  writeCase,
  type ReplayCase,
} from '../../../suites/index.ts';
import { profile } from '../profile.ts';

const anyCase = fc
  .oneof(...properties.map((p) => p.arbitrary(profile).map((scenario) => ({ property: p.id, scenario }))))
  .map((drawn): ReplayCase => ({ rule: 'rc-request-ahead', adapter: 'rxe', ...drawn }));

function tokenErrorOf(token: string): TokenError | undefined {
  try {
    decodeToken(token);
    return undefined;
  } catch (error) {
    if (error instanceof TokenError) return error;
    throw error;
  }
}

describe('replay token', () => {
  it('gives back every generated case', () => {
    fc.assert(
      fc.property(anyCase, (found) => {
        expect(decodeToken(encodeToken(found))).toEqual(found);
      }),
    );
  });

  it('is one word that needs no quoting', () => {
    fc.assert(
      fc.property(anyCase, (found) => {
        expect(encodeToken(found)).toMatch(/^rdc1\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$/);
      }),
    );
  });

  it('tells damage from another version and from other text', () => {
    const [found] = fc.sample(anyCase, { numRuns: 1, seed: 1 });
    if (found === undefined) throw new Error('no sample');
    const token = encodeToken(found);
    expect(tokenErrorOf(token)).toBeUndefined();
    expect(tokenErrorOf(token.replace('rdc1', 'rdc9'))?.kind).toBe('version');
    expect(tokenErrorOf('a sentence')?.kind).toBe('not-a-token');
    expect(tokenErrorOf(token.slice(0, -4))?.kind).toBe('damaged');
    fc.assert(
      fc.property(fc.integer({ min: 14, max: token.length - 1 }), (at) => {
        const other = token[at] === 'A' ? 'B' : 'A';
        // The last digit of base64 may carry unused bits only.
        if (at === token.length - 1) return;
        expect(tokenErrorOf(token.slice(0, at) + other + token.slice(at + 1))?.kind).toBe('damaged');
      }),
    );
  });
});

describe('case file', () => {
  const made: string[] = [];
  const directory = (): string => {
    const path = mkdtempSync(join(tmpdir(), 'cases-'));
    made.push(path);
    return path;
  };
  afterEach(() => {
    for (const path of made.splice(0)) rmSync(path, { recursive: true });
  });

  it('holds the case in full, and is found again', () => {
    const where = directory();
    const [found] = fc.sample(anyCase, { numRuns: 1, seed: 2 });
    if (found === undefined) throw new Error('no sample');
    const file = writeCase(where, found, { expected: 'a NAK', observed: 'nothing' });
    expect(readCase(file)).toEqual(found);
    expect(readCases(where)).toEqual([{ file, found }]);
    expect(readFileSync(file, 'utf8')).toContain('"observed": "nothing"');
    expect(readCases(join(where, 'absent'))).toEqual([]);
  });

  it('says where a file is wrong', () => {
    const where = directory();
    const [found] = fc.sample(anyCase, { numRuns: 1, seed: 3 });
    if (found === undefined) throw new Error('no sample');
    const file = writeCase(where, found, { expected: '', observed: '' });
    const text = readFileSync(file, 'utf8');
    const messageOf = (changed: string): string => {
      writeFileSync(file, changed);
      try {
        readCase(file);
        return '';
      } catch (error) {
        return error instanceof CaseError ? error.message : `not a CaseError: ${String(error)}`;
      }
    };
    expect(messageOf(text.replace('"version": 1', '"version": 2'))).toContain(
      'case.scenario: 2 in version, where 1 is needed',
    );
    expect(messageOf(text.replace('"mtu"', '"mtuu"'))).toContain('case.scenario: "mtu" is missing');
    expect(messageOf(text.replace('case/1', 'case/7'))).toMatch(
      /"format" must be rdma-conform\/case\/1, not "rdma-conform\/case\/7"/,
    );
    expect(messageOf(text.slice(0, 40))).toContain(file);
  });
});

describe('scenario validation', () => {
  it('takes what every property generates', () => {
    for (const property of properties) {
      for (const scenario of fc.sample(property.arbitrary(profile), { numRuns: 20, seed: 4 })) {
        expect(parseScenario(JSON.parse(JSON.stringify(scenario)))).toEqual(scenario);
      }
    }
  });

  it('refuses a region that does not exist', () => {
    const [property] = properties;
    const [scenario] = fc.sample(property?.arbitrary(profile) ?? fc.constant(undefined), {
      numRuns: 1,
      seed: 5,
    });
    const broken = { ...scenario, steps: [{ do: 'dereg_mr', region: 9 }] };
    expect(() => parseScenario(broken)).toThrow('scenario: there is no region 9, which steps.0 names');
  });
});
