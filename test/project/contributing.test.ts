import { describe, expect, it } from 'vitest';
import { readProjectFile } from './files.ts';

const text = readProjectFile('CONTRIBUTING.md');

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
