import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { junitCheck, junitRun } from '../../report/formats/junit.ts';
import { escapeXml } from '../../report/formats/xml.ts';
import { sampleCheck, sampleRule, sampleRun } from './sample.ts';

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
    });
    const suites = elements.filter((e) => e.name === 'testsuite');
    expect(suites.reduce((n, { attributes }) => n + Number(attributes.get('skipped')), 0)).toBe(3);
    for (const name of ['failure', 'error'] as const) {
      const total = elements.filter((e) => e.name === name).length;
      expect(root?.attributes.get(`${name}s`)).toBe(String(total));
    }
  });

  it('has no attribute that the schema of such files, as Jenkins has it, does not know, and all that it requires', () => {
    const known: Record<string, { required: string[]; optional: string[] }> = {
      testsuites: { required: [], optional: ['name', 'time', 'tests', 'failures', 'errors'] },
      testsuite: { required: ['name', 'tests', 'failures', 'errors'], optional: ['skipped', 'time'] },
      testcase: { required: ['name'], optional: ['classname', 'time', 'group'] },
      failure: { required: [], optional: ['type', 'message'] },
      error: { required: [], optional: ['type', 'message'] },
      skipped: { required: [], optional: ['type', 'message'] },
    };
    for (const { name, attributes } of [
      ...readXml(junitRun(sampleRun({ errors: ['x'] }), {})),
      ...readXml(junitCheck(sampleCheck)),
    ]) {
      const { required = [], optional = [] } = known[name] ?? {};
      expect(Object.keys(known)).toContain(name);
      expect([...required, ...optional]).toEqual(expect.arrayContaining([...attributes.keys()]));
      expect([...attributes.keys()]).toEqual(expect.arrayContaining(required));
      expect(attributes.get('time') ?? '0').toMatch(/^\d{1,3}(\.\d*)?$|^\d+\.\d{3}$/);
    }
  });

  it('counts an error of a property once, with all that it says', () => {
    const broken = { suite: 's', says: 'x', verdict: 'error', cases: 1 } as const;
    const properties = [
      { ...broken, id: 's/one', error: 'hung' },
      { ...broken, id: 's/two', error: 'died' },
    ];
    const errors = ['s/one: hung', 's/one: hung again', 's/two: died', 'it did not end well'];
    const report = junitRun(sampleRun({ rules: [], failures: [], properties, errors }), {});
    const [root] = readXml(report);
    expect(root?.attributes.get('errors')).toBe('3');
    expect(report).toContain('hung; hung again');
    expect(report).toContain('it did not end well');
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
