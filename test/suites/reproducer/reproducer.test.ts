import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Failure, LadderLine } from '../../../report/results.ts';
import { observed } from '../../../suites/reproducer/frame.ts';
import { reproducerOf } from '../../../suites/reproducer/index.ts';
import { parsed } from '../../../scripts/reproducers/guest.ts';
import type { Packet } from '../../../wire/packet.ts';
import { answer, bytes, packetFields, packetOf } from '../../oracle/trace/packets.ts';
import { finding, findings, programFor } from './findings.ts';

const headers = existsSync('/usr/include/infiniband/verbs.h');
const gcc = spawnSync('gcc', ['--version']).status === 0;
const gccMissing = gcc ? (headers ? undefined : 'the headers of libibverbs are not here') : 'gcc is not here';

function ladderOf(rule: string, change: (line: LadderLine) => LadderLine): LadderLine[] {
  return finding(rule).ladder.map(change);
}

/** The finding, with what was wrong in the last packet of the device. */
function atItsEnd(rule: string): Failure {
  const { ladder } = finding(rule);
  const last = ladder.findLastIndex(({ kind }) => kind === 'from-dut');
  return { ...finding(rule), ladder: ladder.map((line, i) => ({ ...line, guilty: i === last })) };
}

describe('a reproducer in C', () => {
  it('is a program that gcc takes without a warning', ({ skip }) => {
    if (gccMissing !== undefined) skip(gccMissing);
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
    const text = await programFor(atItsEnd('rc-duplicate-send-write-asked'));
    expect(text).toContain('.rq_psn = 13513973');
    expect(text).toMatch(/reg\(0, pd\[0\], \d+, IBV_ACCESS_LOCAL_WRITE/);
    expect(text).toContain('put(f + 47, qp->qp_num, 3);');
    expect(text).toMatch(/put\(f \+ 54, \(uintptr_t\)region\[0\]\.mem \+ \d+, 8\);/);
    expect(text).toMatch(
      /"packet opcode 0x11 psn 16777215 ack-req 0 flags 0x00 syndrome 0x1f msn 0 bytes 4 crc/,
    );
  });

  it('makes no more of the exchange than shows the defect', async () => {
    const rule = 'rc-duplicate-send-write-asked';
    const sent = (text: string): number => text.split('\t\tsend_frame(').length;
    expect(sent(await programFor(finding(rule)))).toBeLessThan(sent(await programFor(atItsEnd(rule))));
    const left: LadderLine = { t: 0, kind: 'note', text: '12 lines left out' };
    const longer = { ...finding(rule), ladder: [...finding(rule).ladder, left] };
    expect(await programFor(longer)).toBe(await programFor(finding(rule)));
  });

  it('ends at the guilty observation, and judges no times and no memory', async () => {
    const packets = await programFor(finding('rc-send-unacknowledged'));
    expect(packets).toContain('same(reported, "completion", 0)');
    expect(packets).toContain('if (!i && !same(reported, "call", 0))');
    expect(await programFor(finding('rc-memory-fetched'))).toContain('hold the memory above');
    expect(await programFor(finding('rc-timeout-early'))).toContain('hold the times above');
  });

  it('says that something is missing only where it does not come and all else does', async ({ skip }) => {
    const failure = {
      ...finding('rc-send-unacknowledged'),
      expected: 'IBV_EVENT_COMM_EST',
      observed: 'no event',
      ladder: [
        { t: 0, kind: 'verbs' as const, text: 'ibv_modify_qp IBV_QPS_SQD', guilty: true },
        { t: 1, kind: 'event' as const, text: 'IBV_EVENT_SQ_DRAINED' },
      ],
    };
    const text = await programFor(failure);
    expect(text).toContain('"event IBV_EVENT_SQ_DRAINED",');
    expect(text).toContain('i = missing(reported, "event");');
    if (gccMissing !== undefined) skip(gccMissing);
    const harness = text.slice(0, text.indexOf('int main(void)'));
    const folder = mkdtempSync(join(tmpdir(), 'reproducer-'));
    const endsWith = (...lines: string[]): number | null => {
      const calls = lines.map((line) => `see("", "${line}");`).join('\n');
      const input = `${harness}\nint main(void) { ${calls} return missing(reported, "event"); }\n`;
      const program = join(folder, 'program');
      // the functions of libibverbs that it does not call need not be there
      const flags = ['-O1', '-Wl,--unresolved-symbols=ignore-all', '-x', 'c', '-o', program, '-'];
      const built = spawnSync('gcc', flags, { input });
      expect(built.stderr.toString()).toBe('');
      return spawnSync(program).status;
    };
    try {
      const call = 'call ibv_modify_qp errno 0';
      const drained = 'event IBV_EVENT_SQ_DRAINED';
      expect(endsWith(call, drained)).toBe(1);
      expect(endsWith(call, 'event IBV_EVENT_COMM_EST', drained)).toBe(0);
      expect(endsWith(call)).toBe(125);
      expect(endsWith('call ibv_modify_qp errno 22', drained)).toBe(125);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('connects the QP to the number that the ladder has, in either notation', async () => {
    const rule = 'rc-send-unacknowledged';
    const connected = async (number: string): Promise<string | undefined> => {
      const ladder = ladderOf(rule, (line) => ({
        ...line,
        text: line.text.replace(/dest_qp_num \w+/, `dest_qp_num ${number}`),
      }));
      return /\.dest_qp_num = (\d+)/.exec(await programFor({ ...finding(rule), ladder }))?.[1];
    };
    expect(await connected('0x700024')).toBe('7340068');
    expect(await connected('7340068')).toBe('7340068');
  });

  it('waits as long as the report for a packet that never comes', async () => {
    const found = finding('rc-send-unacknowledged');
    const judged: LadderLine = { t: 0, kind: 'note', text: 'judged here: nothing 627 ms after the RNR NAK' };
    const begin = found.ladder.slice(0, 4);
    const [last] = begin.slice(-1);
    const never = (gap: number): Promise<string> =>
      programFor({
        ...found,
        expected: 'packets from PSN 5 on sent again',
        observed: 'nothing 627 ms after the RNR NAK',
        ladder: [...begin, { ...judged, t: (last?.t ?? 0) + gap }],
      });
    expect(await never(627e6)).toMatch(/wait_for\(.*, 1000000\);\n\tprintf/);
    expect(await never(627e6)).toContain('i = missing(reported, "packet");');
    expect(await never(3e9)).toMatch(/wait_for\(.*, 30\d{5}\);\n\tprintf/);
    expect(await never(9e9)).toContain('hold the times above');
  });

  it('reads of a packet what the report does, of a datagram its Q_Key as well', async ({ skip }) => {
    const datagram = (key: number): Packet =>
      packetOf(
        packetFields('UD', 'from-dut', 'SEND_ONLY', 7, { payload: bytes(8), deth: { qkey: key, srcQp: 5 } }),
      );
    const answered = packetOf(packetFields('RC', 'from-dut', 'ACKNOWLEDGE', 7, answer(3)));
    const packets = [datagram(0x11111111), datagram(0x80000000), answered];
    const lines = packets.map(observed);
    expect(lines[0]).toContain(' qkey 0x11111111 ');
    expect(new Set(lines).size).toBe(3);
    if (gccMissing !== undefined) skip(gccMissing);
    const text = await programFor(finding('rc-send-unacknowledged'));
    const harness = text.slice(0, text.indexOf('int main(void)'));
    const calls = packets.map(
      ({ frame }) => `take_packet((const unsigned char[]){ ${frame.join(', ')} }, ${frame.length});`,
    );
    const folder = mkdtempSync(join(tmpdir(), 'reproducer-'));
    try {
      const program = join(folder, 'program');
      const flags = ['-O1', '-Wl,--unresolved-symbols=ignore-all', '-x', 'c', '-o', program, '-'];
      const input = `${harness}\nint main(void) { ${calls.join('\n')} return 0; }\n`;
      expect(spawnSync('gcc', flags, { input }).stderr.toString()).toBe('');
      const { stdout } = spawnSync(program);
      expect(stdout.toString().match(/packet opcode.*/g)).toEqual(lines);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('leaves completions in a CQ that is to fill up until they are due', async () => {
    const full = await programFor(finding('cq-error-again'));
    expect(full).toContain('ibv_create_cq(ctx, 1, NULL, NULL, 0)');
    expect(full).toContain('\thold = 1;');
    expect(await programFor(finding('rc-send-unacknowledged'))).not.toContain('\thold = 1;');
  });

  it('posts a list by one call, and takes what was refused of it for one observation', async () => {
    const text = await programFor(finding('post-send-too-early'));
    expect(text).toContain('struct ibv_send_wr wr[10] = {');
    expect(text.match(/\.next = &wr\[/g)).toHaveLength(9);
    expect(text.match(/= ibv_post_send\(qp, wr, &bad\)/g)).toHaveLength(1);
    const reported = text.slice(text.indexOf('reported[]'), text.indexOf('int main'));
    expect(reported.match(/call ibv_post_send .*/g)).toEqual([
      'call ibv_post_send errno 22, bad_wr 4 of the list of 10",',
    ]);
  });

  it('makes an SRQ on another PD than that of the QP', async () => {
    const text = await programFor(finding('rc-send-complete-asked'));
    expect(text).toContain('ibv_create_srq(pd[0]');
    expect(text).toContain('ibv_create_qp(pd[1]');
  });

  it('brings the QP up whatever else is made before', async () => {
    const failure = finding('rc-send-unacknowledged');
    const cqs: LadderLine[] = [1, 2].map((n) => ({
      t: 0,
      kind: 'verbs',
      text: `ibv_create_cq CQ ${n}, 3 entries`,
    }));
    const text = await programFor({ ...failure, ladder: [...cqs, ...failure.ladder] });
    for (const state of ['INIT', 'RTR', 'RTS']) expect(text).toContain(`.qp_state = IBV_QPS_${state}`);
  });

  it('judges nothing where a packet has to come while others are sent again', async () => {
    const failure = finding('rc-send-unacknowledged');
    const again = (t: number): LadderLine[] =>
      failure.ladder
        .filter(({ kind }) => kind === 'from-dut')
        .slice(0, 1)
        .map((line) => ({ ...line, t, text: `${line.text}, again after 290 ms (T 268 ms)` }));
    const answers = failure.ladder.filter(({ kind }) => kind === 'to-dut').slice(0, 1);
    const race = (after: number): Promise<string> =>
      programFor({
        ...failure,
        ladder: [
          ...failure.ladder,
          ...again(9e9),
          ...answers.map((line) => ({ ...line, t: 9e9 + 1e5 })),
          ...again(9e9 + after),
        ],
      });
    expect(await race(5e5)).toContain('hold the times above');
    expect(await race(5e7)).not.toContain('hold the times above');
  });

  it('judges nothing where what was missing comes later', async () => {
    const found = finding('rc-send-unacknowledged');
    const late = (ladder: LadderLine[]): Promise<string> =>
      programFor({
        ...found,
        expected: 'IBV_WC_SUCCESS for IBV_WR_SEND wr_id 1000',
        observed: 'no completion',
        ladder,
      });
    const done: LadderLine = {
      t: 9e9,
      kind: 'completion',
      text: 'completion wr_id 1000 IBV_WC_SUCCESS IBV_WC_SEND 8 bytes',
    };
    const without = found.ladder.filter(({ kind }) => kind !== 'completion');
    expect(await late([...without, done])).toContain('hold the times above');
    const { t = 0 } = without.at(-1) ?? {};
    const judged: LadderLine = { t: t + 1e8, kind: 'note', text: 'judged here: no completion' };
    const post: LadderLine = { t: t + 2e8, kind: 'verbs', text: 'ibv_post_send wr_id 1001 IBV_WR_SEND' };
    expect(await late([...without, judged, done])).toContain('hold the times above');
    // what software did behind it may have brought it about
    expect(await late([...without, judged, post, done])).toContain('i = missing(reported, "completion");');
    expect(await late(without)).toContain('i = missing(reported, "completion");');
  });

  it('is said to take the machine with it only where it was its turn', () => {
    const console = 'boot\n== begins 01-a\nx\n== ended 01-a 1\n== begins 02-b\nOops\n';
    expect(parsed('01-a', console)).toEqual({ name: '01-a', output: 'x\n', code: 1 });
    expect(parsed('02-b', console)).toEqual({ name: '02-b', output: 'Oops\n' });
    expect(parsed('03-c', console)).toBeUndefined();
  });

  it('says why there is none', async () => {
    const failure = finding('rc-send-unacknowledged');
    const why = async (change: Partial<typeof failure>, device = 'rxe'): Promise<unknown> =>
      reproducerOf({ ...failure, ...change }, device, 'x.c');
    expect(await why({}, 'reference')).toEqual({ why: 'programs are written for soft-RoCE (rxe) only' });
    const left: LadderLine = { t: 0, kind: 'note', text: '12 lines left out' };
    expect(await why({ ladder: [left, ...failure.ladder] })).toEqual({
      why: 'the exchange is too long for the report',
    });
    const spoiled = ladderOf(failure.rule, (line) =>
      line.kind === 'to-dut' ? { ...line, frame: '00'.repeat(60) } : line,
    );
    expect(await why({ ladder: spoiled })).toEqual({ why: 'a frame that is no RoCEv2 packet is sent' });
    const { scenario } = failure;
    if (typeof scenario !== 'object' || scenario === null) throw new Error('a finding without its case');
    expect(await why({ scenario: { ...scenario, peer: 'same-device' } })).toEqual({
      why: 'two QPs of the device talk to each other',
    });
    // the programs do not arm CQs
    expect(await why({ expected: 'a completion event', observed: 'no event' })).toEqual({
      why: 'completion events of a CQ are asked for',
    });
  });
});
