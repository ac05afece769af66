import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { udpChecksum, writePcap } from '../../../wire/index.ts';
import { answer, conversation, sendOnly, stamped } from '../captures.ts';
import { runHere, temporaryFolder } from '../command-line.ts';

const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
});

const right = udpChecksum(sendOnly(104));
const start = 1_700_000_000_000_000_000n;
/** Nobody answers later than that. */
const silence = 1_300_000_000n;

/**
 * What `check --complete` says of a conversation, one more SEND with this UDP checksum, its `answers`, and the same SEND after more
 * than a second, with its answer.
 */
async function checked(checksum: number, ...answers: readonly Uint8Array[]): Promise<unknown> {
  const first = [...conversation(4, 100), sendOnly(104, { udpChecksum: checksum }), ...answers];
  const again = stamped([sendOnly(104), answer(104, 5)], start + silence);
  writeFileSync(join(folder.path, 'sums.pcap'), writePcap([...stamped(first, start), ...again]));
  const flags = ['--complete', '--at', '10.0.0.2', '--reporter', 'json'];
  const { code, stdout } = await runHere(['check', 'sums.pcap', ...flags], { cwd: folder.path });
  const { violations } = JSON.parse(stdout) as { violations: { rule: string }[] };
  return { code, broken: violations.map(({ rule }) => rule) };
}

describe('a request of a capture', () => {
  it.each([
    ['without a UDP checksum', 0],
    ['with a right one', right],
  ])('%s is to be answered', async (_, checksum) => {
    expect(await checked(checksum)).toMatchObject({ code: 1, broken: ['rc-send-complete-asked'] });
  });

  it('with a wrong UDP checksum may be discarded: no answer is demanded', async () => {
    expect(await checked(right ^ 1)).toMatchObject({ code: 0, broken: [] });
  });

  it('with a wrong UDP checksum may be answered', async () => {
    expect(await checked(right ^ 1, answer(104, 5))).toMatchObject({ code: 0, broken: [] });
  });
});
