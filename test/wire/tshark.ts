import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Why there is no tshark here; undefined where there is one. */
export const tsharkMissing: string | undefined = (() => {
  try {
    execFileSync('tshark', ['--version'], { stdio: 'pipe' });
    return undefined;
  } catch {
    return 'tshark is not installed';
  }
})();

/** Fields of every packet of a capture file, as one tshark prints them; several occurrences in order. */
export function dissect<Field extends string>(
  capture: Uint8Array,
  fields: readonly Field[],
  options: readonly string[] = [],
): Record<Field, string[]>[] {
  const directory = mkdtempSync(join(tmpdir(), 'rdma-conform-'));
  try {
    const path = join(directory, 'packets.pcap');
    writeFileSync(path, capture);
    const asked = fields.flatMap((field) => ['-e', field]);
    const out = execFileSync('tshark', ['-n', '-r', path, ...options, '-T', 'fields', ...asked], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return out
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const columns = line.split('\t').map((cell) => (cell === '' ? [] : cell.split(',')));
        const named = fields.map((field, index) => [field, columns[index] ?? []] as const);
        return Object.fromEntries(named) as Record<Field, string[]>;
      });
  } finally {
    rmSync(directory, { recursive: true });
  }
}
