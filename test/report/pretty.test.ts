import { describe, expect, it } from 'vitest';
import { prettyRun } from '../../report/formats/pretty.ts';
import type { Layer } from '../../report/reporter.ts';
import { sampleFailure, sampleRule, sampleRun } from './sample.ts';

const context = { version: '1.2.3', width: 80, colour: false };

describe('pretty report of a run', () => {
  it('says what was run on which device', () => {
    const [first] = prettyRun(sampleRun(), context).split('\n');
    expect(first).toBe('rdma-conform 1.2.3 | reference, 1, virtual clock | seed 42 | rules 0123456789ab');
  });

  it('shows verdict, level and times exercised of each rule under its table', () => {
    const text = prettyRun(sampleRun(), context);
    expect(text).toMatch(/^rc-responder-psn \(4\)/m);
    expect(text).toMatch(/^ {2}pass +rc-passes +must +1,234$/m);
    expect(text).toMatch(/^ {2}FAIL +rc-request-ahead +must +1,234 {2}3 violations$/m);
    expect(text).toMatch(/^ {2}vacuous +rc-vacuous +must +0\n +never arose$/m);
  });

  it('lists the rules that need a look, and the others only if asked; the summary counts all of them by machine', () => {
    const many = Array.from({ length: 30 }, (_, i) =>
      sampleRule({
        id: `rule-${i}`,
        verdict: i === 7 ? 'fail' : i < 20 ? 'pass' : 'vacuous',
        location: { file: `spec/machines/${i < 10 ? 'rc-responder' : 'ooo'}/x.yaml`, line: 1 },
      }),
    );
    const run = sampleRun({ rules: many, failures: [] });
    const short = prettyRun(run, context);
    expect(short).toMatch(/^ {2}FAIL +rule-7 /m);
    expect(short).not.toMatch(/rule-8 |rule-25 /);
    expect(short).toMatch(/^rc-responder +10 +9 +1$/m);
    expect(short).toMatch(/^ooo +20 +10 +10$/m);
    expect(short).toContain('--verbose');
    const green = sampleRun({ rules: many.filter(({ verdict }) => verdict !== 'fail'), failures: [] });
    expect(prettyRun(green, context).split('\n').length).toBeLessThan(25);
    const long = prettyRun(run, { ...context, verbose: true });
    for (const { id } of many) expect(long).toContain(`${id} `);
    expect(long).not.toContain('--verbose');
  });

  it('keeps the table of machines within the width', () => {
    const words = [
      'pass',
      'fail',
      'deviation',
      'observed',
      'inconclusive',
      'vacuous',
      'unsupported',
    ] as const;
    const rules = words.flatMap((verdict, i) =>
      Array.from({ length: 4 }, (_, j) =>
        sampleRule({
          id: `rule-${i}-${j}`,
          verdict,
          location: { file: 'spec/machines/path-migration/x.yaml', line: 1 },
        }),
      ),
    );
    const heading = (width: number): string =>
      prettyRun(sampleRun({ rules, failures: [] }), { ...context, width })
        .split('\n')
        .find((line) => line.startsWith('machine')) ?? '';
    expect(heading(100)).toMatch(/ deviation .* inconclusive .* unsupported$/);
    expect(heading(80).length).toBeLessThanOrEqual(80);
    expect(heading(80)).toMatch(/ deviat\. .* inconcl\. .* unsupp\.$/);
  });

  it('shows a known divergence as such, with its reason', () => {
    expect(prettyRun(sampleRun(), context)).toMatch(/^ {2}known +rc-known.*\n +known: rxe answers at once$/m);
  });

  it('says of what nobody could run again that it was seen once', () => {
    const run = sampleRun({
      failures: [{ ...sampleFailure, reproduced: { times: 1, of: 1 }, unconfirmed: true }],
    });
    expect(prettyRun(run, context)).toMatch(/^ {3}reproduced +seen once, and not run again/m);
  });

  it('says in how many cases the device failed for good, and what that means', () => {
    const text = prettyRun(sampleRun({ endedByDevice: 100 }), { ...context, width: 200 });
    expect(text).toContain('The device ended 100 cases early, of 200, by IBV_EVENT_DEVICE_FATAL.');
    expect(text).toContain('the run is inconclusive where no rule is broken');
    expect(prettyRun(sampleRun(), context)).not.toContain('ended');
  });

  it('says of a known finding what the list says of it', () => {
    const divergence = { reason: 'rxe answers at once', link: 'page#one' };
    const run = sampleRun({ failures: [{ ...sampleFailure, known: true, divergence }] });
    expect(prettyRun(run, context)).toMatch(/^ {3}known +rxe answers at once \(page#one\)$/m);
    expect(prettyRun(sampleRun(), context)).not.toContain('page#one');
  });

  it('shows a failure with rule, statements, expectation, observation, ladder and the replay command', () => {
    const text = prettyRun(sampleRun(), context);
    expect(text).toMatch(/^1\. NAK psn-sequence-error with another PSN$/m);
    expect(text).toContain('rc-request-ahead');
    expect(text).toMatch(/statements +rx-psn-nak-carries-epsn, rx-psn-nak-condition/);
    expect(text).toMatch(/expected +NAK psn-sequence-error with PSN 5/);
    expect(text).toMatch(/observed +NAK psn-sequence-error with PSN 6/);
    expect(text).toMatch(/reproduced +10\/10/);
    expect(text).toMatch(/^>> +2\.500 ms \| <= ACKNOWLEDGE psn=6/m);
    expect(text).toMatch(/replay +npx rdma-conform replay rc1\.AbCd_-09$/m);
  });

  it('names the case file instead of a token that nobody can copy', () => {
    const failure = { ...sampleFailure, token: 'x'.repeat(1000), caseFile: '.rdma-conform/cases/a b.json' };
    const text = prettyRun(sampleRun({ failures: [failure] }), context);
    expect(text).toContain("npx rdma-conform replay '.rdma-conform/cases/a b.json'");
    expect(text).not.toContain('xxxxx');
  });

  it('counts the rules by verdict at the end, known divergences apart', () => {
    const lines = prettyRun(sampleRun(), context).trimEnd().split('\n');
    expect(lines.slice(-3)).toEqual([
      'Rules  1 pass, 1 FAIL, 1 deviation, 1 observed, 1 inconclusive, 1 vacuous,',
      '       1 unsupported, 1 known',
      '200 cases, 4,321 packets, 1.5 s, 6 of 8 rules exercised',
    ]);
    const wide = prettyRun(sampleRun(), { ...context, width: 120 })
      .trimEnd()
      .split('\n');
    expect(wide.at(-2)).toMatch(/^Rules {2}1 pass, .* 1 vacuous, 1 unsupported, 1 known$/);
  });

  it('says what was not judged, what broke and that it was interrupted', () => {
    const text = prettyRun(
      sampleRun({ interrupted: true, errors: ['guest hung'], unexpectedPasses: ['rc-known'] }),
      { ...context, verbose: true },
    );
    expect(text).toMatch(/Not judged\n +17 {2}receive queue: verbs calls not seen/);
    expect(text).toMatch(/Internal errors.*\n {2}guest hung/);
    expect(text).toMatch(/did not show.*\n {2}rc-known/);
    expect(text).toContain('Interrupted');
  });

  it('says once what broke several properties alike, and names each with its case file', () => {
    const errors = [
      'rc/one: no answer (case file cases/a.json)',
      'rc/two: another reason (case file cases/b.json)',
      'rc/three: no answer (case file cases/c.json)',
    ];
    const text = prettyRun(sampleRun({ errors }), { ...context, verbose: true });
    const [, part = ''] = text.split('Internal errors, or errors of the adapter\n');
    expect(part.split('\n').slice(0, 5)).toEqual([
      '  no answer',
      '    in rc/one, case file cases/a.json',
      '    in rc/three, case file cases/c.json',
      '  rc/two: another reason (case file cases/b.json)',
      '',
    ]);
  });

  it('ends with what is new and what is gone, where there is a list of known divergences', () => {
    const text = prettyRun(sampleRun({ unexpectedPasses: ['rc-gone'] }), context);
    expect(text).toMatch(
      /\nNew divergences \(2\)\n {2}rc-request-ahead, rc-should\nGone: .*\(1\)\n {2}rc-gone\n {2}In [\d,]+ cases?\. Try more, [^\n]*\nKnown divergences that showed \(1\)\n\nRules /,
    );
    const without = sampleRun({ rules: sampleRun().rules.filter(({ known }) => known === undefined) });
    expect(prettyRun(without, context)).not.toContain('New divergences');
  });

  it('counts news by finding: a rule may show one that is on the list and one that is not', () => {
    const one = (signature: string, known: boolean): typeof sampleFailure => ({
      ...sampleFailure,
      rule: 'rc-request-ahead',
      signature,
      known,
    });
    const rules = sampleRun().rules.filter(
      ({ known, verdict }) => known === undefined && verdict !== 'deviation',
    );
    const text = prettyRun(
      sampleRun({ rules, failures: [one('NAK', true), one('silence', false)] }),
      context,
    );
    expect(text).toMatch(/\nNew divergences \(1\)\n {2}rc-request-ahead \(silence\)\n/);
    expect(text).toContain('Known divergences that showed (1)');
  });

  it('shows the gravest causes with their exchanges and the others in short, unless everything is asked for', () => {
    const rules = Array.from({ length: 30 }, (_, i) => `rule-${i}`);
    const failures = rules.map((rule, i) => ({
      ...sampleFailure,
      rule,
      expected: `state RTS of ${rule}`,
      observed: `word${String.fromCodePoint(97 + i)}`,
      known: i >= 20,
    }));
    const text = prettyRun(sampleRun({ failures }), context);
    const drawn = (of: string): number => of.split('\n').filter((line) => line.startsWith('>> ')).length;
    expect(drawn(text)).toBe(12);
    const short = text.slice(text.indexOf('The others in short'));
    for (const { rule } of failures) expect(text).toContain(rule);
    for (const { observed } of failures.filter(({ known }) => !known))
      expect(text).toContain(`observed    ${observed}`);
    expect(short.match(/^ {3}replay /gm)).toHaveLength(8);
    // numbers are those of all other reports
    for (let n = 1; n <= 30; n++) expect(text).toMatch(new RegExp(`^ *${n}\\. `, 'm'));
    expect(drawn(prettyRun(sampleRun({ failures }), { ...context, verbose: true }))).toBe(30);
  });

  it('has no line beyond the width but those that are there to be copied', () => {
    const failures = ['a', 'b'].map((letter) => ({
      ...sampleFailure,
      rule: `a-rule-with-a-name-that-is-rather-long-${letter}`,
      expected: `IBV_WC_SUCCESS of ${letter.repeat(40)}`,
      observed: `IBV_WC_RETRY_EXC_ERR and ${letter.repeat(30)}`,
    }));
    for (const known of [false, true]) {
      const run = sampleRun({
        failures: failures.map((one) => ({ ...one, known })),
        unexpectedPasses: ['gone'],
      });
      const long = prettyRun(run, context)
        .split('\n')
        .filter((line) => line.length > context.width && !line.startsWith('   replay '));
      expect(long).toEqual([]);
    }
  });

  it('gives violations a line of their own where the line of the rule has no room for them', () => {
    const rule = { id: `a-rule-${'x'.repeat(30)}`, verdict: 'fail', violations: 1234 } as const;
    const of = (width: number): string[] =>
      prettyRun(sampleRun({ rules: [sampleRule(rule)], failures: [] }), { ...context, width }).split('\n');
    expect(of(120)).toContainEqual(
      expect.stringMatching(/^ {2}FAIL +a-rule-x+ +must .*1,234 {2}1,234 violations$/),
    );
    expect(of(80)).toContainEqual(expect.stringMatching(/^ {2}FAIL +a-rule-x+ +must +1,234$/));
    for (const width of [80, 60]) {
      expect(of(width)).toContain(`${' '.repeat(17)}1,234 violations`);
      expect(of(width).filter((line) => line.length > width)).toEqual([]);
    }
  });

  it('calls a property known where its cases broke nothing else', () => {
    const [property] = sampleRun().properties;
    const properties = property === undefined ? [] : [{ ...property, known: true as const }];
    expect(prettyRun(sampleRun({ properties }), { ...context, verbose: true })).toMatch(
      /^ {2}known +rc-responder\/psn /m,
    );
  });

  it('tells what matters in a failure, and takes its guilty packet apart', () => {
    const influences = [
      { what: 'step 1 (inject): psn offset', is: '1', broken: ['2'], kept: ['0'] },
      { what: 'path MTU', is: '256', broken: ['512'], kept: [] },
      { what: 'step 1 (inject): ackReq', is: 'yes', broken: ['no'], kept: [] },
    ];
    const ladder = sampleFailure.ladder.map((line) =>
      line.guilty === true ? { ...line, frame: '1140' } : line,
    );
    const dissect = (): Layer[] => [
      { name: 'Ethernet', offset: 0, length: 1, fields: [] },
      { name: 'BTH', offset: 1, length: 1, fields: [{ name: 'PSN', value: '6' }] },
    ];
    const failures = [{ ...sampleFailure, influences, ladder, capture: 'x.pcapng' }];
    const text = prettyRun(sampleRun({ failures }), { ...context, dissect });
    expect(text).toMatch(/^ {3}matters {5}step 1 \(inject\): psn offset: broken with 1, 2; kept with 0$/m);
    expect(text).toMatch(/^ {3}no effect {3}path MTU; step 1 \(inject\): ackReq$/m);
    expect(text).toMatch(/^ {3}BTH {9}PSN 6\n {15}40$/m);
    expect(text).not.toContain('Ethernet');
    expect(text).toMatch(/^ {3}capture {5}x\.pcapng$/m);
  });

  it('names a cause by what tells most, and not by what must only not be 0', () => {
    const influences = [
      { what: 'max_dest_rd_atomic of the responder', is: '4', broken: ['1', '2'], kept: ['0'] },
      { what: 'step 1 (inject): operation', is: 'RDMA_READ_REQUEST', broken: [], kept: ['SEND_ONLY', 'ACK'] },
    ];
    const text = prettyRun(sampleRun({ failures: [{ ...sampleFailure, influences }] }), context);
    expect(text).toMatch(
      /^ {3}only with {3}step 1 \(inject\): operation RDMA_READ_REQUEST \(not SEND_ONLY, ACK\)$/m,
    );
  });

  it('uses colour only where asked for', () => {
    expect(prettyRun(sampleRun(), context)).not.toContain('\u001b');
    const coloured = prettyRun(sampleRun(), { ...context, colour: true });
    // oxlint-disable-next-line no-control-regex -- the escapes are what is looked for
    expect(coloured.replaceAll(/\u001b\[\d+m/g, '')).toBe(prettyRun(sampleRun(), context));
  });
});
