import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { base, responderScenario, type Base } from '../../arbitraries/base.ts';
import { message, send } from '../../arbitraries/message.ts';
import { inject, packet, recvs } from '../../arbitraries/packets.ts';
import { asMember } from '../../beside.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Member, Scenario, SharedObject, Step } from '../../scenario.ts';
import { query, scenarios, settle } from '../../verbs/parts.ts';
import { allocate, bind, open, opening, regionsOf, request, rightsOf } from '../../verbs/windows.ts';

const toReset: Step = { do: 'modify_qp', at: 'responder', state: 'IBV_QPS_RESET', midway: true };

/** A QP whose first `begins` steps are taken before the other one takes all of its own. */
function around(one: Member, begins: number, other: Member, share: SharedObject[] = []): Scenario {
  const order = [...Array<number>(begins).fill(0), ...other.steps.map(() => 1)];
  return { ...one, beside: { members: [other], order, ...(share.length > 0 && { share }) } };
}

function responder(profile: Profile, chosen: Base, steps: Step[]): Member {
  return asMember(responderScenario(profile, chosen, { steps }));
}

/** Completions of one QP wait in a CQ when those of another one that fails come behind them. */
export const completionsApart: SuiteProperty = {
  id: 'device/completions-apart',
  suite: 'device',
  qps: 2,
  says: 'What waits in a CQ stays as it is when another QP that shares it fails.',
  arbitrary: (profile) =>
    fc
      .record({
        chosen: base(profile),
        received: fc.integer({ min: 1, max: 3 }),
        left: fc.integer({ min: 1, max: 3 }),
      })
      .map(({ chosen, received, left }) => {
        const comes = inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } }));
        const own = { ...chosen, srq: false };
        const begins = [...recvs(received + 1, 64), settle, ...Array.from({ length: received }, () => comes)];
        const one = responder(profile, own, [...begins, settle, comes, settle, query]);
        // too long for its receive WQE, so that it fails behind what has come to the other QP, and before anybody polls
        const posted = recvs(left, 4);
        const other = responder(profile, own, [...posted, settle, comes]);
        const order = [...posted.map(() => 1), 1, ...begins.map(() => 0), 1];
        return { ...one, beside: { members: [other], order, share: ['cq' as const] } };
      }),
  aims: ['rc-receive-completes', 'completion-in-order', 'completion-attributed'],
};

/** A READ or ATOMIC comes again after another QP was reset. */
export const replaysApart: SuiteProperty = {
  id: 'device/replays-apart',
  suite: 'device',
  qps: 2,
  says: 'A QP answers READs and ATOMICs again that it has carried out, whatever other QPs are reset meanwhile.',
  arbitrary: (profile) =>
    fc
      .record({
        chosen: base(profile),
        asked: fc.array(message(profile, ['fetch-add', 'cmp-swap', 'read'], 1), {
          minLength: 1,
          maxLength: 2,
        }),
        others: fc.array(message(profile, ['fetch-add', 'read', 'write'], 1), { maxLength: 1 }),
      })
      .map(({ chosen, asked, others }) => {
        const begins = [...asked.flatMap((m) => send(m, chosen.mtu)), settle];
        const again = asked.map((): Step => ({ do: 'reinject', back: asked.length - 1 }));
        const one = responder(profile, chosen, [...begins, ...again, settle, query]);
        const other = [...others.flatMap((m) => send(m, chosen.mtu)), settle, toReset];
        return around(one, begins.length, responder(profile, chosen, other));
      }),
  aims: ['rc-duplicate-atomic', 'rc-duplicate-read'],
};

/** A window is used after another QP of the device was destroyed. */
export const windowsKept: SuiteProperty = {
  id: 'device/windows-kept',
  suite: 'device',
  requires: ['memory-windows', 'destroy-calls'],
  qps: 2,
  says: 'A memory window stays bound when a QP is destroyed that has not bound it.',
  arbitrary: (profile) =>
    fc.record({ opened: opening(rightsOf(profile)), pd: fc.boolean() }).chain(({ opened, pd }) => {
      const [right = 'IBV_ACCESS_REMOTE_READ'] = opened.access;
      const begins: Step[] = [allocate, bind(open, opened), settle];
      const made = (steps: Step[]): fc.Arbitrary<Member> =>
        scenarios(profile, 'responder', ['RC'], fc.constant(undefined), (c) => ({
          regions: regionsOf(profile, c),
          steps,
        })).map(asMember);
      const used = [...request(right, opened.offset), settle, query];
      return fc
        .tuple(made([...begins, ...used]), made([settle, { do: 'destroy', object: 'qp' }]))
        .map(([one, other]) => around(one, begins.length, other, pd ? ['pd'] : []));
    }),
  aims: ['rc-window-of-other-qp', 'destroy-qp'],
};
