import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { LadderLine } from '../../../report/results.ts';
import { reproducerOf } from '../../../suites/reproducer/index.ts';
import { finding, findings, programFor } from './findings.ts';

const headers = existsSync('/usr/include/infiniband/verbs.h');
const gcc = spawnSync('gcc', ['--version']).status === 0;
const missing = gcc ? (headers ? undefined : 'the headers of libibverbs are not here') : 'gcc is not here';

function ladderOf(rule: string, change: (line: LadderLine) => LadderLine): LadderLine[] {
  return finding(rule).ladder.map(change);
}

describe('a reproducer in C', () => {
  it('is a program that gcc takes without a warning', ({ skip }) => {
    if (missing !== undefined) skip(missing);
    return Promise.all(
      [...findings.values()].map(async (failure) => {
        const flags = ['-O1', '-Wall', '-Wextra', '-Werror', '-c', '-o', '/dev/null', '-x', 'c', '-'];
        const { status, stderr } = spawnSync('gcc', flags, { input: await programFor(failure) });
        expect(stderr.toString()).toBe('');
        expect(status).toBe(0);
      }),
    ).then(() => undefined);
  });

  it('makes the calls of the case and puts the numbers of the device into the packets', async () => {
    const text = await programFor(finding('rc-duplicate-send-write-asked'));
    expect(text).toContain('.rq_psn = 13513973');
    expect(text).toMatch(/reg\(0, pd\[0\], \d+, IBV_ACCESS_LOCAL_WRITE/);
    expect(text).toContain('put(f + 47, qp->qp_num, 3);');
    expect(text).toMatch(/put\(f \+ 54, \(uintptr_t\)region\[0\]\.mem \+ \d+, 8\);/);
    expect(text).toMatch(
      /"packet opcode 0x11 psn 16777215 ack-req 0 flags 0x00 syndrome 0x1f msn 0 bytes 4 crc/,
    );
  });

  it('ends at the guilty observation, and judges no times and no memory', async () => {
    const packets = await programFor(finding('rc-send-unacknowledged'));
    expect(packets).toContain('same(reported, "completion", 0)');
    expect(await programFor(finding('rc-memory-fetched'))).toContain('hold the memory above');
    expect(await programFor(finding('rc-timeout-early'))).toContain('hold the times above');
  });

  it('says why there is none', async () => {
    const failure = finding('rc-send-unacknowledged');
    const why = async (change: Partial<typeof failure>, device = 'rxe'): Promise<unknown> =>
      reproducerOf({ ...failure, ...change }, device, 'x.c');
    expect(await why({}, 'reference')).toEqual({ why: 'programs are written for soft-RoCE (rxe) only' });
    const left: LadderLine = { t: 0, kind: 'note', text: '12 lines left out' };
    expect(await why({ ladder: [...failure.ladder, left] })).toEqual({
      why: 'the exchange is too long for the report',
    });
    const spoiled = ladderOf(failure.rule, (line) =>
      line.kind === 'to-dut' ? { ...line, frame: '00'.repeat(60) } : line,
    );
    expect(await why({ ladder: spoiled })).toEqual({ why: 'a frame that is no RoCEv2 packet is sent' });
    // the programs do not arm CQs
    expect(await why({ expected: 'a completion event', observed: 'no event' })).toEqual({
      why: 'completion events of a CQ are asked for',
    });
  });
});
