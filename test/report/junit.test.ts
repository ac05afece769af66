import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { junitRun } from '../../report/junit.ts';
import { escapeXml } from '../../report/xml.ts';
import { sampleRule, sampleRun } from './sample.ts';

/** Reads the XML subset that the writer uses; throws where it is not well-formed. */
function readXml(text: string): { name: string; attributes: Map<string, string> }[] {
  const elements: { name: string; attributes: Map<string, string> }[] = [];
  const open: string[] = [];
  const unescape = (raw: string): string =>
    raw.replaceAll(/&(#\d+|\w+);/g, (_, entity: string) => {
      const named = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }[entity];
      return named ?? String.fromCodePoint(Number(entity.slice(1)));
    });
  const tag = /^<(\/?)([a-z]+)((?:\s+[a-z]+="[^"<]*")*)\s*(\/?)>/;
  let rest = text.replace(/^<\?xml[^>]*\?>\n/, '');
  while (rest !== '') {
    const found = tag.exec(rest);
    if (found === null) {
      const [characters] = /^[^<]+/.exec(rest) ?? [''];
      if (characters === '' || /&(?!#\d+;|amp;|lt;|gt;|quot;|apos;)/.test(characters)) {
        throw new Error(`not XML: ${rest.slice(0, 60)}`);
      }
      rest = rest.slice(characters.length);
      continue;
    }
    const [whole, closing, name = '', attributes = '', empty] = found;
    rest = rest.slice(whole.length);
    if (closing === '/') {
      if (open.pop() !== name) throw new Error(`</${name}> closes something else`);
      continue;
    }
    const pairs = [...attributes.matchAll(/([a-z]+)="([^"]*)"/g)];
    elements.push({
      name,
      attributes: new Map(pairs.map(([, key = '', value = '']) => [key, unescape(value)])),
    });
    if (empty !== '/') open.push(name);
  }
  if (open.length > 0) throw new Error(`not closed: ${open.join(' ')}`);
  return elements;
}

describe('JUnit report', () => {
  it('has one test case per rule, and the counts of its outcomes', () => {
    const elements = readXml(junitRun(sampleRun(), {}));
    const [root] = elements;
    expect(elements.filter((e) => e.name === 'testcase')).toHaveLength(8);
    expect(Object.fromEntries(root?.attributes ?? [])).toMatchObject({
      tests: '8',
      failures: '1',
      errors: '1',
      skipped: '3',
    });
    for (const name of ['failure', 'error', 'skipped'] as const) {
      const total = elements.filter((e) => e.name === name).length;
      expect(root?.attributes.get(name === 'skipped' ? name : `${name}s`)).toBe(String(total));
    }
  });

  it('counts errors of the harness and known divergences that did not show', () => {
    const [root] = readXml(
      junitRun(sampleRun({ errors: ['guest hung'], unexpectedPasses: ['rc-known'] }), {}),
    );
    expect(root?.attributes.get('errors')).toBe('2');
    expect(root?.attributes.get('failures')).toBe('2');
  });

  it('is well-formed whatever the texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const rules = [
          sampleRule({ verdict: 'fail', says: text }),
          sampleRule({ id: text, verdict: 'vacuous', why: text }),
        ];
        const elements = readXml(junitRun(sampleRun({ rules, errors: [text] }), {}));
        expect(elements.filter((e) => e.name === 'testcase')).toHaveLength(3);
      }),
    );
  });

  it('replaces what XML cannot hold', () => {
    expect(escapeXml('a\u0000b\ud800c\u001b<&>"\'')).toBe('a\ufffdb\ufffdc\ufffd&lt;&amp;&gt;&quot;&apos;');
  });
});
