import { describe, expect, it } from 'vitest';
import { referenceAdapter } from '../../adapters/reference/index.ts';
import { formatDiagnostic, lintRules, type RuleSet } from '../../oracle/index.ts';
import { specDirectory } from '../../spec/load.ts';
import { runConformance } from '../../suites/index.ts';
import { readProjectFile } from '../project/files.ts';

const page = readProjectFile('docs/tutorials/first-rule.md');
const [, file = ''] = /at the end of `spec\/(machines\/[\w/-]+\.yaml)`/.exec(page) ?? [];
const [, sample = ''] = /```yaml\n([^]*?)```/.exec(page) ?? [];

/** The rules of the spec with `text` at the end of the file that the page names. */
const withRule = (text: string) =>
  lintRules({ directory: specDirectory, files: { [file]: readProjectFile(`spec/${file}`) + text } });

/** What the page shows for the n-th `command`, from 0. */
function shown(command: string, n = 0): string {
  const steps = page.split('```console\n').filter((block) => block.startsWith(`$ ${command}\n`));
  return (
    steps[n]
      ?.slice(command.length + 3)
      .split('```')[0]
      ?.trimEnd() ?? ''
  );
}

describe('the page for transport designers', () => {
  it('shows what a table without one of its rules is reported as', () => {
    const text = readProjectFile('docs/transport-designer.md');
    const [, removed = '', where = ''] =
      /If you remove the rule `([\w-]+)` from `myspec\/([\w/.-]+)`/.exec(text) ?? [];
    const [, printed = ''] = /\$ npx rdma-conform rules lint myspec\n([^]*?)\n1 mistake/.exec(text) ?? [];
    const table = readProjectFile(`spec/${where}`);
    const start = table.indexOf(`  - id: ${removed}\n`);
    const end = table.indexOf('  - id: ', start + 1);
    expect(start).toBeGreaterThan(0);
    const files = { [where]: table.slice(0, start) + (end < 0 ? '' : table.slice(end)) };
    const { diagnostics } = lintRules({ directory: specDirectory, files });
    expect(diagnostics.map(formatDiagnostic).join('\n')).toBe(printed.replace('myspec/', 'spec/'));
  });
});

describe('a slip', () => {
  it('in an outcome is one mistake, and no contradiction', () => {
    const { diagnostics } = lintRules({
      directory: specDirectory,
      files: {
        [file]: readProjectFile(`spec/${file}`) + sample.replace('completed-without', 'completed-withot'),
      },
    });
    expect(diagnostics.map(({ code }) => code)).toEqual(['unknown-outcome-value']);
  });
});

async function run(rules: RuleSet, mutant?: 'nak-msn-zero') {
  return runConformance({
    adapter: referenceAdapter(mutant === undefined ? {} : { mutant }),
    rules,
    rule: 'my-rnr-msn',
    runs: 300,
    seed: 1,
    shrinkTime: 0.01,
  });
}

describe('the tutorial on a first rule', () => {
  it('compiles the rule as it is printed, and counts rules and tables', () => {
    const { rules, diagnostics } = withRule(sample);
    expect(diagnostics).toEqual([]);
    expect(rules?.rule('my-rnr-msn')?.table).toBe('rc-responder-response');
    const tables = new Set(rules?.rules.map(({ table }) => table));
    expect(shown('npx rdma-conform rules lint')).toBe(
      `${rules?.rules.length} rules in ${tables.size} tables: complete, free of contradiction`,
    );
  });

  it('shows the message for the typo that it names', () => {
    const { diagnostics } = withRule(sample.replace('rnr-nak }', 'rnr-nack }'));
    const lines = diagnostics.map(formatDiagnostic);
    expect(shown('npx rdma-conform rules lint', 1)).toBe([...lines, '1 mistake'].join('\n'));
  });

  it('says in one line where the rule is in the wrong column', () => {
    const { diagnostics } = withRule(sample.replaceAll(/^ {2}/gm, ''));
    expect(diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining('this item of the list is indented by 0 spaces, those above it by 2'),
    ]);
  });

  it('has a rule that the reference NIC exercises and keeps, and the mutant breaks as it shows', async () => {
    const { rules } = withRule(sample);
    if (rules === undefined) throw new Error('the rule does not compile');
    const kept = await run(rules);
    expect(kept.rules).toMatchObject([{ id: 'my-rnr-msn', verdict: 'pass' }]);
    expect(kept.rules[0]?.exercised).toBeGreaterThan(0);

    const broken = await run(rules, 'nak-msn-zero');
    expect(broken.rules).toMatchObject([{ id: 'my-rnr-msn', verdict: 'fail' }]);
    const [failure] = broken.failures;
    const printed = `   expected    ${failure?.expected}\n   observed    ${failure?.observed}`;
    expect(page).toContain(printed);
  });
});
