import { describe, expect, it } from 'vitest';
import { knownFor, parseKnown } from '../../cli/files/known-file.ts';

const ids = ['rc-request-ahead', 'rc-drop-pkey'];
const parse = (text: string): ReturnType<typeof parseKnown> => parseKnown(text, 'known.yaml', ids);

describe('file of known divergences', () => {
  it('is a list of rule, adapter, reason, link and expiry', () => {
    const text = `
- rule: rc-request-ahead
  adapter: rxe
  reason: answers each packet
  link: docs/x.md
  seldom: needs load
  expires: 2030-01-31
- { rule: rc-drop-pkey, adapter: 'rxe:kernel=6.12', reason: takes any }
`;
    expect(parse(text)).toEqual([
      {
        rule: 'rc-request-ahead',
        adapter: 'rxe',
        reason: 'answers each packet',
        link: 'docs/x.md',
        seldom: 'needs load',
        expires: '2030-01-31',
      },
      { rule: 'rc-drop-pkey', adapter: 'rxe:kernel=6.12', reason: 'takes any' },
    ]);
    expect(parse('')).toEqual([]);
  });

  it('names findings of a rule, one or several', () => {
    const entry = '- rule: rc-drop-pkey\n  adapter: a\n  reason: b\n  signature: ';
    const read = (text: string): unknown => parse(`${entry}${text}`)[0]?.signature;
    expect(read('no event, in ERR')).toBe('no event, in ERR');
    expect(read("[no event, 'no event, in ERR']")).toEqual(['no event', 'no event, in ERR']);
    expect(() => parse(`${entry}[]`)).toThrow('known.yaml:4:14: "signature" must not be an empty list');
    expect(() => parse(`${entry}[a, [b]]`)).toThrow('known.yaml:4:18: "signature" must be a text');
  });

  it('is of one version or of several, by how they begin', () => {
    const read = (version: string): ReturnType<typeof parse> =>
      parse(`- rule: rc-drop-pkey\n  adapter: a\n  reason: b\n  version: ${version}`);
    const ofDevice = (version: string, entries: ReturnType<typeof parse>): number =>
      knownFor(entries, { adapter: 'a', version }, new Date('2026-01-01')).known.length;
    const several = read("['Linux 6.12.', Linux 7.]");
    expect(several[0]?.version).toEqual(['Linux 6.12.', 'Linux 7.']);
    const versions = ['Linux 6.1.5', 'Linux 6.12.5', 'Linux 7.3.4'];
    expect(versions.map((version) => ofDevice(version, several))).toEqual([0, 1, 1]);
    expect(versions.map((version) => ofDevice(version, read('Linux 6.1.')))).toEqual([1, 0, 0]);
    expect(() => read('[]')).toThrow('known.yaml:4:12: "version" must not be an empty list');
    expect(() => read('[[a]]')).toThrow('known.yaml:4:13: "version" must be a text');
  });

  it.each([
    ['a: b', 'known.yaml:1:1: the file must be a list'],
    ['- rule: [', 'known.yaml:1:10: '],
    ['\n- rule: rc-drop-pkey\n  adapter: rxe', 'known.yaml:2:3: "reason" is missing'],
    [
      '- rule: rc-drop-pky\n  adapter: a\n  reason: b',
      'known.yaml:1:9: unknown rule "rc-drop-pky"; did you mean "rc-drop-pkey"?',
    ],
    [
      '- rule: rc-drop-pkey\n  adaptor: a\n  reason: b',
      'known.yaml:2:3: unknown key "adaptor"; did you mean "adapter"?',
    ],
    [
      '- rule: rc-drop-pkey\n  adapter: a\n  reason: b\n  expires: soon',
      'known.yaml:4:12: "expires" must be a date',
    ],
    ['- just text', 'known.yaml:1:3: an entry must have rule, adapter and reason'],
  ])('refuses %j with its place', (text, message) => {
    expect(() => parse(text)).toThrow(message);
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 78 }));
  });

  it('applies to the adapter it names, with or without parameters, until it expires', () => {
    const all = [
      { rule: 'a', adapter: 'rxe', reason: 'x' },
      { rule: 'b', adapter: 'rxe:kernel=6.12', reason: 'x' },
      { rule: 'c', adapter: 'rxe', reason: 'x', expires: '2030-01-31' },
      { rule: 'd', adapter: 'reference', reason: 'x' },
      { rule: 'e', adapter: 'rxe', version: 'Linux 6.1.', reason: 'x' },
    ];
    const version = 'Linux 6.12.1';
    const rules = (adapter: string, day: string): string[] =>
      knownFor(all, { adapter, version }, new Date(`${day}T12:00:00Z`)).known.map((entry) => entry.rule);
    expect(rules('rxe', '2030-01-30')).toEqual(['a', 'c']);
    expect(rules('rxe:kernel=6.12', '2030-01-31')).toEqual(['a', 'b']);
    const old = { adapter: 'rxe', version: 'Linux 6.1.0-56' };
    expect(knownFor(all, old, new Date('2030-02-01')).known.map((entry) => entry.rule)).toEqual(['a', 'e']);
    expect(knownFor(all, old, new Date('2030-01-31T00:00:00Z')).expired.map((entry) => entry.rule)).toEqual([
      'c',
    ]);
  });
});
