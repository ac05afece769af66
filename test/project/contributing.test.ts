import { describe, expect, it } from 'vitest';
import { lintRules } from '../../oracle/index.ts';
import { specDirectory } from '../../spec/load.ts';
import { readProjectFile } from './files.ts';

const text = readProjectFile('CONTRIBUTING.md');
const [, file = '', sample = ''] =
  /at the end of `spec\/(machines\/[\w/-]+\.yaml)`[^]*?```yaml\n([^]*?)```/.exec(text) ?? [];

describe('the sample mutant of CONTRIBUTING', () => {
  it('is the entry of the file that it comes from', () => {
    const [, entry = ''] = /```yaml\n( +- id: nak-per-packet\n[^]*?)\n *```/.exec(text) ?? [];
    const lines = entry.split('\n').map((line) => line.slice(entry.search(/\S/)));
    expect(lines.length).toBeGreaterThan(3);
    expect(readProjectFile('spec/mutants/rc-responder/sequence.yaml')).toContain(lines.join('\n'));
  });

  it('has the fault that the device has', () => {
    const [, fault = ''] = /```ts\n +faultsAt\(refuseAhead, \{\n([^]*?)\n *```/.exec(text) ?? [];
    const lines = fault.split('\n').map((line) => line.trim());
    expect(lines.length).toBeGreaterThan(3);
    const faults = readProjectFile('adapters/reference/rc-responder/faults/sequence.ts');
    const code = faults.split('\n').map((line) => line.trim());
    expect(code.join('\n')).toContain(lines.join('\n'));
  });
});

describe('the sample rule of CONTRIBUTING', () => {
  it('compiles as it is printed, at the end of the file that is named', () => {
    expect(sample).toContain('id: my-rnr-msn');
    const files = { [file]: readProjectFile(`spec/${file}`) + sample };
    const { rules, diagnostics } = lintRules({ directory: specDirectory, files });
    expect(diagnostics).toEqual([]);
    expect(rules?.rule('my-rnr-msn')?.table).toBe('rc-responder-response');
  });

  it('is told in one line where it stands in the wrong column', () => {
    const shifted = sample.replaceAll(/^ {2}/gm, '');
    const files = { [file]: readProjectFile(`spec/${file}`) + shifted };
    const { diagnostics } = lintRules({ directory: specDirectory, files });
    expect(diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining('this item of the list is indented by 0 spaces, those above it by 2'),
    ]);
  });
});
