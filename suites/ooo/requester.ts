import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { fault } from '../arbitraries/faults.ts';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { everyJob, job, jobs, wrOf, type Job } from '../rc-requester/jobs.ts';
import type { Fault, Step, WrPlan } from '../scenario.ts';
import { common, limitsOf, ms, scenarios, smallestMtu } from './parts.ts';

/** Receive WQEs that the peer needs for some work. */
export function receives(wrs: readonly WrPlan[]): Step[] {
  return wrs
    .filter(({ opcode }) => opcode.includes('SEND') || opcode.endsWith('_IMM'))
    .map((wr) => ({ do: 'post_recv', length: wr.opcode.includes('SEND') ? wr.length : 0 }));
}

export function posts(wrs: readonly WrPlan[]): Step[] {
  return wrs.map((wr) => ({ do: 'post_send', wr }));
}

/** All of them posted at once, with what they need, and `us` microseconds to finish. */
export function finished(wrs: readonly WrPlan[], us: number): Step[] {
  return [...receives(wrs), ...posts(wrs), { do: 'finish', us }, settle];
}

/** The same, with time for what `faults` make the requester wait for. */
function worksThrough(wrs: readonly WrPlan[], faults: Fault[]): { steps: Step[]; faults: Fault[] } {
  return { steps: finished(wrs, 200 + (faults.length + 1) * 8 * ms), faults };
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

/** Faults of what answers READs and ATOMICs, of the first `most` answers. */
export function reorderAnswers(most = 10): fc.Arbitrary<Fault> {
  return fc.record({
    direction: fc.constant<Fault['direction']>('to-requester'),
    match: fc.record({
      class: fc.constantFrom<'read-response' | 'atomic-ack'>('read-response', 'read-response', 'atomic-ack'),
      ordinal: fc.nat(most - 1),
    }),
    action: fc.oneof(
      {
        weight: 3,
        arbitrary: fc
          .integer({ min: 1, max: 5 })
          .map((packets): Fault['action'] => ({ kind: 'hold', packets })),
      },
      fc.constant<Fault['action']>({ kind: 'duplicate', copies: 1 }),
      fc.constant<Fault['action']>({ kind: 'drop' }),
    ),
  });
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
      ({ mtu }, { all, faults }) =>
        worksThrough(
          all.map((j) => wrOf(j, mtu)),
          faults,
        ),
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
    'ooo-request-solicited',
    'ooo-request-header',
    'ooo-read-addressed',
    'ooo-resent-timeout',
  ],
};

export const answers: SuiteProperty = {
  ...common,
  id: 'ooo/requester-answers',
  says: 'READ responses are placed by their offset in whatever order they come; a READ is complete when all are there, and what is lost is asked for again.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        all: fc.array(
          fc.oneof(
            { weight: 4, arbitrary: job(profile, ['read'], { mostMtus: 4 }) },
            job(profile, everyJob, { mostMtus: 1 }),
          ),
          { minLength: 1, maxLength: 5, size: 'max' },
        ),
        faults: fc.array(reorderAnswers(), { minLength: 1, maxLength: 5, size: 'max' }),
      }),
      ({ mtu }, { all, faults }) =>
        worksThrough(
          all.map((j) => wrOf(j, mtu)),
          faults,
        ),
    ),
  aims: ['ooo-memory-fetched', 'ooo-not-retired', 'ooo-read-numbered', 'ooo-read-addressed'],
};

export const sound: SuiteProperty = {
  ...common,
  id: 'ooo/requester-sound',
  says: 'On a wire without faults, packets say where they belong, and nothing is sent twice.',
  arbitrary: (profile) =>
    scenarios(profile, 'requester', worked(profile, 8), ({ mtu }, all) => ({
      steps: finished(
        all.map((j) => wrOf(j, mtu)),
        500,
      ),
    })),
  aims: [
    'ooo-send-numbered',
    'ooo-write-immediate-numbered',
    'ooo-others-unnumbered',
    'ooo-not-read-unnumbered',
    'ooo-request-offset',
    'ooo-write-addressed',
    'ooo-request-immediate',
    'ooo-request-solicited',
    'ooo-sent-without-gap',
    'ooo-fence-reads',
    'ooo-send-owed',
    'ooo-retired-quietly',
    'ooo-retired-once',
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
        return worksThrough(wrs, faults);
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
        const mtu = smallestMtu(profile);
        const long: WrPlan = {
          opcode: kind,
          length: Math.max(1, cap + more) * mtu,
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
          ...worksThrough(wrs, faults),
        };
      },
    );
  },
  aims: ['ooo-window-full', 'ooo-window-open', 'ooo-resent-lost'],
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
