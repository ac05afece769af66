import { describe, expect, it } from 'vitest';
import { defaultCongestion } from '../../../adapters/reference/congestion/settings.ts';
import type { MutantId } from '../../../adapters/reference/index.ts';
import { ecnBits, withEcnBits } from '../../../adapters/switch/ecn-bits.ts';
import { VirtualClock } from '../../../adapters/virtual-clock.ts';
import { Judge, loadRules, type TraceHeader } from '../../../oracle/index.ts';
import { opcodeByName } from '../../../spec/constants.ts';
import { decode, encode } from '../../../wire/index.ts';
import { connect, ends, makeSide, type Side } from '../../adapters/reference/pair.ts';
import { lone } from '../../adapters/reference/unreliable/pair.ts';
import { slow } from '../../captures/entries.ts';
import type { Sge } from '../../../spec/verbs.ts';
import type { Passed } from './between-nics.ts';

const rules = loadRules();
const config = { rcm: true, congestion: { ...defaultCongestion, ...slow } };
/** Time of a frame of 1,024 bytes on the wire at the line rate, nanoseconds. */
const frameTime = 430_000;
const messages = 400;

/** As a switch forwards it that all packets find congested. */
const congested = (frame: Uint8Array): Uint8Array => (ecnBits(frame) === 2 ? withEcnBits(frame, 3) : frame);

/** What passes the port of a NIC that has 400 SENDs to send, or READs of 1,024 bytes to answer, all of which meet congestion. */
async function atPort(mutant: MutantId | undefined, work: 'sends' | 'reads' = 'sends'): Promise<Passed[]> {
  const clock = new VirtualClock();
  const passed: Passed[] = [];
  const note = (frame: Uint8Array): void => void passed.push({ t: clock.now(), frame: frame.slice() });
  const sides: Side[] = [];
  let free = 0;
  const a = await makeSide(
    clock,
    0,
    (frame) => {
      // a port sends one frame after the other
      free = Math.max(free, clock.now()) + Math.ceil((frame.length * 8e9) / slow.lineRate);
      const sent = frame.slice();
      clock.setTimer(free - clock.now(), () => {
        note(sent);
        sides[1]?.nic.receive(congested(sent));
      });
    },
    { config, mtu: 1024, ...(mutant !== undefined && { mutant }) },
  );
  const b = await makeSide(
    clock,
    1,
    (frame) => {
      note(frame);
      a.nic.receive(frame);
    },
    { config, mtu: 1024 },
  );
  sides.push(a, b);
  const options = { mtu: 1024 as const, qp: { timeout: 0 } };
  await connect(a, { num: b.num, ip: ends[1].ipv4 ?? '' }, 0, 0, options);
  await connect(b, { num: a.num, ip: ends[0].ipv4 ?? '' }, 0, 0, options);
  const bytesOf = ({ mr }: Side): Sge => ({ addr: mr.addr, length: 1024, lkey: mr.lkey });
  const post = async (wr_id: number): Promise<void> => {
    if (work === 'sends') await b.verbs.post_recv(b.qp, { wr_id, sg_list: [bytesOf(b)] });
    const from = work === 'sends' ? a : b;
    await from.verbs.post_send(from.qp, {
      wr_id,
      send_flags: ['IBV_SEND_SIGNALED'],
      sg_list: [bytesOf(from)],
      ...(work === 'sends'
        ? { opcode: 'IBV_WR_SEND' }
        : { opcode: 'IBV_WR_RDMA_READ', remote_addr: a.mr.addr, rkey: a.mr.rkey }),
    });
  };
  const asks = work === 'sends' ? a : b;
  for (let sent = 0, done = 0; done < messages; clock.advance(frameTime)) {
    for (; sent < messages && sent - done < 8; sent++) await post(sent);
    done += (await asks.verbs.poll_cq(asks.cq, 64)).length;
    if (clock.now() > 100e9) throw new Error('the messages did not get through');
  }
  return passed;
}

/** What passes the port of a NIC that has 400 messages to send without an answer, with a CNP every 250 us. */
async function unanswered(
  type: 'IBV_QPT_UC' | 'IBV_QPT_UD',
  mutant: MutantId | undefined,
): Promise<Passed[]> {
  const device = await lone(type, {
    config,
    ...(mutant !== undefined && { mutant }),
  });
  const { clock, nic, verbs, frames, cq, mr, num } = device;
  const passed: Passed[] = [];
  const cnp = encode({
    opcode: opcodeByName('CNP'),
    srcIp: '10.0.0.2',
    dstIp: '10.0.0.1',
    destQp: num,
    psn: 0,
    becn: true,
    migReq: false,
    trafficClass: 1,
    payload: new Uint8Array(16),
  });
  for (let sent = 0, done = 0, turn = 0; done < messages; turn++) {
    if (turn % 5 === 0) {
      passed.push({ t: clock.now(), frame: cnp });
      nic.receive(cnp);
    }
    // as fast as the port is
    if (sent < messages && sent - done < 8 && turn % 9 === 0) {
      await device.send({ wr_id: sent++, sg_list: [{ addr: mr.addr, length: 1024, lkey: mr.lkey }] });
    }
    clock.advance(50_000);
    for (const frame of frames.splice(0)) passed.push({ t: clock.now(), frame });
    done += (await verbs.poll_cq(cq, 64)).length;
    if (clock.now() > 100e9) throw new Error('the messages were not sent');
  }
  return passed;
}

function judged(passed: readonly Passed[], known: Partial<TraceHeader>) {
  const judge = new Judge(
    { sight: { packets: 'mid-path', verbs: false }, clock: 'recorded', ...known },
    rules,
  );
  for (const [i, { t, frame }] of passed.entries()) {
    const decoded = decode(frame);
    if (decoded.kind === 'packet')
      judge.push({ kind: 'packet', t, direction: 'unknown', packet: decoded.packet, number: i + 1 });
  }
  return judge.finish();
}

const said = { complete: { addresses: ['10.0.0.1'], timeout: 0 }, congestion: slow };

describe('a flow for which CNPs come, in a capture at the port of its sender', () => {
  it('is within its rate where the sender reacts to them', async () => {
    const { violations, exercised, inconclusive } = judged(await atPort(undefined), said);
    expect({ violations, inconclusive }).toEqual({ violations: [], inconclusive: [] });
    expect(exercised.get('cc-pace-kept')).toBeGreaterThan(100);
  });

  it('is within its rate where it consists of READ responses', async () => {
    const { violations, exercised, inconclusive } = judged(await atPort(undefined, 'reads'), said);
    expect({ violations, inconclusive }).toEqual({ violations: [], inconclusive: [] });
    expect(exercised.get('cc-pace-kept-by-reads')).toBeGreaterThan(100);
  });

  it.each(['IBV_QPT_UC', 'IBV_QPT_UD'] as const)('is judged where a QP of %s sends it', async (type) => {
    const sound = judged(await unanswered(type, undefined), said);
    expect(sound).toMatchObject({ violations: [], inconclusive: [] });
    expect(sound.exercised.get('cc-pace-kept')).toBeGreaterThan(100);
    const passed = await unanswered(type, 'rate-not-heeded');
    expect(new Set(judged(passed, said).violations.map(({ rule }) => rule))).toEqual(
      new Set(['cc-pace-kept']),
    );
    expect(judged(passed, { congestion: slow }).violations).toEqual([]);
  });

  it('is ahead of it where READ responses leave as if no CNP had come', async () => {
    const passed = await atPort('reads-unpaced', 'reads');
    expect(new Set(judged(passed, said).violations.map(({ rule }) => rule))).toEqual(
      new Set(['cc-pace-kept-by-reads']),
    );
    expect(judged(passed, { congestion: slow }).violations).toEqual([]);
    const behind = { complete: { addresses: ['10.0.0.2'] }, congestion: slow };
    expect(judged(passed, behind).violations).toEqual([]);
  });

  it('is ahead of it where the sender does not: a mutant that `check --complete --profile` finds', async () => {
    const passed = await atPort('rate-not-heeded');
    expect(new Set(judged(passed, said).violations.map(({ rule }) => rule))).toEqual(
      new Set(['cc-pace-kept']),
    );
    // elsewhere, the CNPs may have been lost behind the capture, or held up
    expect(judged(passed, { congestion: slow }).violations).toEqual([]);
    const behind = { complete: { addresses: ['10.0.0.2'] }, congestion: slow };
    expect(judged(passed, behind).violations).toEqual([]);
  });
});
