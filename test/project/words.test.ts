import { describe, expect, it } from 'vitest';
import { loadWords, wordsIn } from '../../scripts/words/find.ts';

const words = loadWords();
const found = (path: string, source: string): string[] => wordsIn(path, source, words);

describe('words that are not to come back', () => {
  it('are found in a page, with line and advice', () => {
    expect(found('docs/page.md', 'A page.\n\nIt drops a packet without a word.\n')).toEqual([
      'docs/page.md:3: "without a word"; better: silently',
    ]);
    expect(found('docs/page.md', 'Here `a sound device` and\n```sh\ntold you so\n```\n')).toEqual([]);
  });

  it('are found in what a rule says, not in its id, its facts and expressions', () => {
    const rule = (says: string): string => `- id: rc-sound\n  says: ${says}\n  when: { packet: sound }\n`;
    expect(found('spec/x.yaml', rule('A sound device answers.'))).toEqual([
      expect.stringMatching(/^spec\/x\.yaml:2: "sound"; better: conformant/),
    ]);
    expect(found('spec/x.yaml', rule('A conformant device answers.'))).toEqual([]);
  });

  it('are found in what a program prints, not in its comments and names', () => {
    expect(found('cli/x.ts', "// told in a comment\nconst told = 'sound';\n")).toEqual([]);
    expect(found('cli/x.ts', '\nconst title = `What ${name} says of itself`;\n')).toEqual([
      'cli/x.ts:2: "says of itself"; better: declares; a profile',
    ]);
    expect(found('cli/x.ts', "print('see --adapter reference:sound=one-read or sound.yaml');")).toEqual([]);
  });
});
