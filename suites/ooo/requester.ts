import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { fault } from '../arbitraries/faults.ts';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { everyJob, job, jobs, packetsOf, wrOf, type Job } from '../rc-requester/jobs.ts';
import type { Fault, ResponsePsn, Step, WrPlan } from '../scenario.ts';
import { limitsOf, scenarios } from './parts.ts';

const common = { suite: 'ooo', requires: ['ooo'] } as const;
const ms = 1000;

/** Receive WQEs that the peer needs for some work. */
export function receives(wrs: readonly WrPlan[]): Step[] {
  return wrs
    .filter(({ opcode }) => opcode.includes('SEND') || opcode.endsWith('_IMM'))
    .map((wr) => ({ do: 'post_recv', length: wr.opcode.includes('SEND') ? wr.length : 0 }));
}

export function posts(wrs: readonly WrPlan[]): Step[] {
  return wrs.map((wr) => ({ do: 'post_send', wr }));
}

/** Faults that change the order most of all: packets held back, lost, and doubled. */
export function reorder(): fc.Arbitrary<Fault> {
  const toResponder = fc.constant<Fault['direction']>('to-responder');
  return fc.oneof(
    fc.record({
      direction: toResponder,
      match: fc.record({ psnOffset: fc.nat(12), transmission: fc.constant(0) }),
      action: fc.oneof(
        fc.integer({ min: 1, max: 8 }).map((packets): Fault['action'] => ({ kind: 'hold', packets })),
        fc.constant<Fault['action']>({ kind: 'drop' }),
        fc.constantFrom(3, 30, 150).map((us): Fault['action'] => ({ kind: 'delay', us })),
      ),
    }),
    fault({ drops: 2 }),
  );
}

function worked(profile: Profile, most = 6): fc.Arbitrary<Job[]> {
  const mixed = fc.record({ drawn: job(profile, everyJob, { mostMtus: 4 }), fence: fc.boolean() });
  return fc.array(
    mixed.map(({ drawn, fence }): Job => ({ ...drawn, fence: fence && drawn.kind !== 'read' })),
    { minLength: 1, maxLength: most, size: 'max' },
  );
}

export const reordered: SuiteProperty = {
  ...common,
  id: 'ooo/requester-reordered',
  says: 'With packets lost, doubled and out of order on the way, every work request completes, and only what is lost is sent again.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        all: worked(profile),
        faults: fc.array(reorder(), { maxLength: 6, size: 'max' }),
      }),
      ({ mtu }, { all, faults }) => {
        const wrs = all.map((j) => wrOf(j, mtu));
        return {
          steps: [
            ...receives(wrs),
            ...posts(wrs),
            { do: 'finish', us: 200 + (faults.length + 1) * 8 * ms },
            settle,
          ],
          faults,
        };
      },
    ),
  aims: [
    'ooo-retired-completes',
    'ooo-resent-lost',
    'ooo-resent-settled',
    'ooo-resent-unprompted',
    'ooo-not-retired',
    'ooo-retired-in-order',
    'ooo-memory-fetched',
    'ooo-read-numbered',
    'ooo-request-payload',
    'ooo-request-header',
    'ooo-read-addressed',
    'ooo-resent-timeout',
  ],
};

export const sound: SuiteProperty = {
  ...common,
  id: 'ooo/requester-sound',
  says: 'On a sound wire, packets say where they belong, and nothing is sent twice.',
  arbitrary: (profile) =>
    scenarios(profile, 'requester', worked(profile, 8), ({ mtu }, all) => {
      const wrs = all.map((j) => wrOf(j, mtu));
      return { steps: [...receives(wrs), ...posts(wrs), { do: 'finish', us: 500 }, settle] };
    }),
  aims: [
    'ooo-send-numbered',
    'ooo-write-immediate-numbered',
    'ooo-others-unnumbered',
    'ooo-not-read-unnumbered',
    'ooo-request-offset',
    'ooo-write-addressed',
    'ooo-request-immediate',
    'ooo-sent-without-gap',
    'ooo-fence-reads',
    'ooo-send-owed',
    'ooo-retired-quietly',
    'ooo-retired-opcode',
    'ooo-request-opcode',
    'ooo-request-length',
    'ooo-request-addressee',
  ],
};

export const overlapping: SuiteProperty = {
  ...common,
  id: 'ooo/requester-overlapping',
  says: 'A WRITE over memory that an older request is not through with waits, or is fenced; in the end memory is as if in order.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        all: fc.array(
          fc.record({
            drawn: job(profile, ['write', 'write-imm', 'read', 'fetch-add'], { mostMtus: 3 }),
            share: fc.constantFrom(0, 1, 2, 3),
            fence: fc.boolean(),
          }),
          { minLength: 2, maxLength: 5, size: 'max' },
        ),
        faults: fc.array(reorder(), { maxLength: 4, size: 'max' }),
      }),
      ({ mtu }, { all, faults }) => {
        const wrs = all.map(({ drawn, share, fence }) => {
          const wr = wrOf(drawn, mtu);
          const offset = Math.min(wr.offset, share * (mtu / 2));
          return { ...wr, offset: offset - (offset % 8), ...(fence && { fence }) };
        });
        return {
          steps: [
            ...receives(wrs),
            ...posts(wrs),
            { do: 'finish', us: 200 + (faults.length + 1) * 8 * ms },
            settle,
          ],
          faults,
        };
      },
    ),
  aims: ['ooo-fence-indicated', 'ooo-fence-reads', 'ooo-fence-all', 'ooo-memory-fetched'],
};

export const capped: SuiteProperty = {
  ...common,
  id: 'ooo/requester-capped',
  says: 'No more packets are under way than the cap says, whatever is lost of a long message.',
  arbitrary: (profile) => {
    const { cap } = limitsOf(profile);
    return scenarios(
      profile,
      'requester',
      fc.record({
        kind: fc.constantFrom<'IBV_WR_SEND' | 'IBV_WR_RDMA_WRITE'>('IBV_WR_RDMA_WRITE', 'IBV_WR_SEND'),
        more: fc.integer({ min: -2, max: 20 }),
        behind: jobs(profile, everyJob, 3, { mostMtus: 2 }),
        faults: fc.array(reorder(), { maxLength: 3, size: 'max' }),
      }),
      (_chosen, { kind, more, behind, faults }) => {
        const mtu = 256;
        const long: WrPlan = {
          opcode: kind,
          length: (cap + more) * mtu,
          region: 0,
          offset: 0,
          signaled: true,
        };
        const wrs = [long, ...behind.map((j) => wrOf(j, mtu))];
        return {
          mtu,
          regions: [
            {
              length: (cap + 24) * mtu,
              access: [
                'IBV_ACCESS_LOCAL_WRITE',
                'IBV_ACCESS_REMOTE_WRITE',
                'IBV_ACCESS_REMOTE_READ',
                'IBV_ACCESS_REMOTE_ATOMIC',
              ],
              fill: 1,
            },
          ],
          steps: [
            ...receives(wrs),
            ...posts(wrs),
            { do: 'finish', us: 200 + (faults.length + 1) * 8 * ms },
            settle,
          ],
          faults,
        };
      },
    );
  },
  aims: ['ooo-window-full', 'ooo-window-open', 'ooo-resent-lost'],
};

interface Answer {
  /** packets acknowledged for good, as a share of those sent */
  upTo: number;
  selective: number | undefined;
  us: number;
}

export const told: SuiteProperty = {
  ...common,
  id: 'ooo/requester-told',
  says: 'Packets in front of one that was acknowledged selectively are sent again, the others are not; the timer looks after the rest.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        all: jobs(profile, ['send', 'write', 'write-imm'], 4, { mostMtus: 4 }),
        answers: fc.array(
          fc.record<Answer>({
            upTo: fc.integer({ min: -1, max: 12 }),
            selective: fc.option(fc.nat(12), { nil: undefined }),
            us: fc.constantFrom(0, 10, 50, 150, 400),
          }),
          { maxLength: 6, size: 'max' },
        ),
        timeout: fc.constantFrom(14, 1, 0),
        retryCnt: fc.nat(4),
        last: fc.constantFrom(0, 200, 2000, 6000),
      }),
      ({ mtu }, { all, answers, timeout, retryCnt, last }) => {
        const wrs = all.map((j) => wrOf(j, mtu));
        const sent = wrs.reduce((n, wr) => n + packetsOf(wr, mtu), 0);
        return {
          scripted: true,
          timeout,
          retryCnt,
          steps: [
            ...posts(wrs),
            { do: 'await', packets: Math.min(sent, limitsOf(profile).cap), us: 50 },
            ...answers.flatMap((answer): Step[] => told1(answer, sent)),
            ...(last === 0 ? [] : [{ do: 'sleep' as const, us: last }]),
            settle,
          ],
        };
      },
    ),
  aims: [
    'ooo-resent-unprompted',
    'ooo-resent-settled',
    'ooo-resend-owed',
    'ooo-send-owed',
    'ooo-timer-low-early',
    'ooo-timer-high-early',
    'ooo-timer-low-overdue',
    'ooo-timer-high-overdue',
    'ooo-timer-disabled',
    'ooo-not-retired',
  ],
};

function told1({ upTo, selective, us }: Answer, sent: number): Step[] {
  const cumulative = Math.min(upTo, sent - 1);
  const psn: ResponsePsn = { from: 'start', offset: cumulative };
  // Only what lies beyond the gap can be told selectively.
  const beyond = selective === undefined ? undefined : cumulative + 2 + selective;
  const named: ResponsePsn | undefined =
    beyond === undefined || beyond >= sent ? undefined : { from: 'start', offset: beyond };
  return [
    {
      do: 'respond',
      packet: { reply: { kind: 'ack' }, psn, ...(named !== undefined && { selective: named }) },
    },
    ...(us === 0 ? [] : [{ do: 'sleep' as const, us }]),
  ];
}

export const notReady: SuiteProperty = {
  ...common,
  id: 'ooo/requester-not-ready',
  says: 'Where receive WQEs are posted late, requests that need one are told to wait and then go through.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        all: jobs(profile, everyJob, 4),
        early: fc.nat(2),
        code: fc.integer({ min: 1, max: 10 }),
        faults: fc.array(reorder(), { maxLength: 2, size: 'max' }),
      }),
      ({ mtu }, { all, early, code, faults }) => {
        const wrs = all.map((j) => wrOf(j, mtu));
        const needed = receives(wrs);
        return {
          minRnrTimer: code,
          rnrRetry: 7,
          steps: [
            ...needed.slice(0, early),
            ...posts(wrs),
            ...needed.slice(early).flatMap((step): Step[] => [{ do: 'sleep', us: 300 }, step]),
            { do: 'finish', us: 40 * ms },
            settle,
          ],
          faults,
        };
      },
    ),
  aims: ['ooo-resent-not-ready'],
};

export const refused: SuiteProperty = {
  ...common,
  id: 'ooo/requester-refused',
  says: 'A request with a bad key fails when all before it are complete, however the packets come.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        all: jobs(profile, everyJob, 4),
        at: fc.nat(3),
        faults: fc.array(reorder(), { maxLength: 3, size: 'max' }),
      }),
      ({ mtu }, { all, at, faults }) => {
        const wrs = all.map((j, i) => ({ ...wrOf(j, mtu), ...(i === at % all.length && { badRkey: true }) }));
        return {
          steps: [...receives(wrs), ...posts(wrs), { do: 'finish', us: 30 * ms }, settle],
          faults,
        };
      },
    ),
};

export const live: SuiteProperty = {
  ...common,
  id: 'ooo/responder-reordered',
  says: 'With a conformant requester at the other end, every message arrives once, whatever is lost, doubled and out of order.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      fc.record({ all: worked(profile), faults: fc.array(reorder(), { maxLength: 6, size: 'max' }) }),
      ({ mtu }, { all, faults }) => {
        const wrs = all.map((j) => ({ ...wrOf(j, mtu), signaled: true }));
        return { steps: [...receives(wrs), ...posts(wrs), settle], faults };
      },
    ),
  aims: ['ooo-completion-owed', 'ooo-turn-send', 'ooo-turn-write', 'ooo-turn-write-immediate'],
};
