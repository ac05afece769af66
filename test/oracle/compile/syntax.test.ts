import { describe, expect, it } from 'vitest';
import { lintEdited, places } from './fixture.ts';

/** What stands in place of `    level: must`, where the mistake is found, and what is said of it. */
const slips: [string, string, string, string][] = [
  ['a tab in the indentation', '\tlevel: must', '7:1', 'there is a tab in the indentation'],
  ['a sentence with a colon', '    level: must: should', '7:12', 'needs quotes around it'],
  ['an item in another column', '    level: must\n- id: other', '8:1', 'by 0 spaces, those above it by 2'],
  ['a bracket left open', '    level: [must', '8:5', 'a bracket is not closed'],
  ['what is no text', '    level: \u0000must', '7:12', 'the file is no text'],
];

describe('a slip in the syntax', () => {
  it.each(slips)('%s is told once, in words', (_, text, at, message) => {
    const diagnostics = lintEdited('machines/toy/execute.yaml', ['    level: must', text]);
    expect(places(diagnostics)).toEqual([`small/machines/toy/execute.yaml:${at} yaml-syntax`]);
    expect(diagnostics[0]?.message).toMatch(/^not valid YAML: /);
    expect(diagnostics[0]?.message).toContain(message);
  });
});
