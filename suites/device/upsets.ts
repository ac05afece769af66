import type { Profile } from '../../adapters/adapter.ts';
import { responderScenario } from '../arbitraries/base.ts';
import { at, inject, packet, recvs, settle } from '../arbitraries/packets.ts';
import { asMember } from '../beside.ts';
import { load, staying } from '../path-migration/requester.ts';
import { requesterScenario, respond, sent, wrPsn, type Base } from '../rc-requester/parts.ts';
import { timingOf } from '../rc-requester/timing.ts';
import type { FaultAction, Member, PacketPlan, Scenario, Step, WrPlan } from '../scenario.ts';

/** Something that upsets a QP of RC. */
export interface Upset {
  /** steps that make it ready, while nothing else is under way */
  before: Step[];
  /** those that bring it about, none of which waits for a rest */
  act: Step[];
  /** the QP is a requester, and its far end the steps, or the reference NIC behind a wire that does this to the first request */
  asks?: true | FaultAction;
  srq?: true;
}

const target = { region: 0, offset: 0, length: 8 };
const eight = { mtus: 0, bytes: 8 };
const write: PacketPlan = packet('RDMA_WRITE_ONLY', { payload: eight, target });
const denied: PacketPlan = packet('RDMA_WRITE_ONLY', { payload: eight, target: { ...target, rkey: 'bad' } });
const send: PacketPlan = packet('SEND_ONLY', { payload: eight });
const wr: WrPlan = { opcode: 'IBV_WR_RDMA_WRITE', length: 8, region: 0, offset: 0, signaled: true };
const posted: Step = { do: 'post_send', wr };
const link = (up: boolean): Step => ({ do: 'link', up, midway: true });

const to = (state: 'IBV_QPS_RESET' | 'IBV_QPS_ERR' | 'IBV_QPS_SQD'): Step => ({
  do: 'modify_qp',
  at: 'responder',
  state,
  midway: true,
});

/** All of them that a device can be upset by, by the name that the statistics count them by. */
export function upsetsOf(profile: Profile): ReadonlyMap<string, Upset> {
  const pause: Step = { do: 'sleep', us: timingOf(profile).prompt };
  const one = sent(profile, 1);
  const onWire = (asks: FaultAction): Upset => ({ before: [], act: [posted, pause], asks });
  const answered = (...answers: Step[]): Upset => ({
    before: [],
    act: [posted, ...one, ...answers],
    asks: true,
  });
  const nak = (code: number): Step => respond({ kind: 'nak', code }, wrPsn(0));
  const able = (word: Profile['capabilities'][number]): boolean => profile.capabilities.includes(word);
  const all: Readonly<Record<string, Upset | undefined>> = {
    lost: onWire({ kind: 'drop' }),
    'wire fault': onWire({ kind: 'duplicate', copies: 1 }),
    damaged: { before: [], act: [inject({ ...write, defect: { kind: 'icrc' } })] },
    'twice in': { before: [], act: [inject(write), inject(at(write, -1))] },
    'twice out': answered(nak(0), ...one),
    'sequence NAK': { before: [], act: [inject(at(write, 1)), ...one] },
    'RNR NAK': { before: [], act: [inject(send), ...one] },
    'fatal NAK': { before: [], act: [inject(denied), ...one] },
    CNP: able('rcm') ? { before: [], act: [inject({ ...write, ecn: 3 }), pause] } : undefined,
    RESET: { before: [], act: [to('IBV_QPS_RESET')] },
    ERR: { before: [], act: [to('IBV_QPS_ERR')] },
    SQD: { before: [], act: [to('IBV_QPS_SQD')] },
    attributes: {
      before: [],
      act: [{ do: 'modify_qp', at: 'responder', attr: { min_rnr_timer: 3 }, midway: true }],
    },
    migration: able('apm')
      ? {
          before: [
            load('peer', 14),
            posted,
            ...one,
            ...staying([respond({ kind: 'ack' }, wrPsn(0))]),
            settle,
          ],
          act: [
            {
              do: 'modify_qp',
              at: 'requester',
              attr: { path_mig_state: 'IBV_MIG_MIGRATED' },
              midway: true,
            },
          ],
          asks: true,
        }
      : undefined,
    dereg_mr: { before: [], act: [{ do: 'dereg_mr', region: 0, midway: true }] },
    'SRQ limit': able('srq')
      ? {
          before: [...recvs(2, 64), { do: 'modify_srq', limit: 2 }],
          act: [inject(send), pause],
          srq: true,
        }
      : undefined,
    // on a real clock, what disturbs all QPs of the device has to be tried alone, which takes minutes
    link:
      able('port-events') && profile.clock === 'virtual'
        ? { before: [], act: [link(false), link(true)] }
        : undefined,
    failed: answered(nak(2), pause),
    flushed: { before: recvs(2, 64), act: [to('IBV_QPS_ERR'), pause] },
    'QP event': { before: [], act: [inject(denied), pause] },
  };
  return new Map(
    Object.entries(all).flatMap(([name, upset]) => (upset === undefined ? [] : [[name, upset]])),
  );
}

/** The QP that it upsets, as one of several on a device. */
function memberOf(profile: Profile, base: Base, { before, act, asks, srq }: Upset): Member {
  const steps = [...before, ...act];
  if (asks === undefined) {
    const chosen = { ...base, srq: srq === true, minRnrTimer: 12, maxDestRdAtomic: 1 };
    return asMember(responderScenario(profile, chosen, { steps }));
  }
  if (asks === true) return asMember(requesterScenario(profile, base, { steps }));
  return asMember(
    requesterScenario(profile, base, {
      steps,
      live: true,
      faults: [{ direction: 'to-responder', match: { class: 'request', ordinal: 0 }, action: asks }],
    }),
  );
}

/**
 * The upsets on one device, each on a QP of its own, in turn. All QPs have the addresses and the path MTU of the first base. `then`: what
 * the member is to do besides. RangeError: there is no upset, or no base for one.
 */
export function upsetTogether(
  profile: Profile,
  all: readonly Upset[],
  bases: readonly Base[],
  then: (member: Member, i: number) => Member,
): Scenario {
  const [first, ...others] = all.map((upset, i) => {
    const [common, own = common] = [bases[0], bases[i]];
    if (common === undefined || own === undefined) throw new RangeError('a QP without a base');
    return then(memberOf(profile, { ...own, ip: common.ip, mtu: common.mtu }, upset), i);
  });
  if (first === undefined) throw new RangeError('a device without a QP');
  const turns = (of: 'before' | 'act'): number[] => all.flatMap((upset, who) => upset[of].map(() => who));
  return { ...first, beside: { members: others, order: [...turns('before'), ...turns('act')] } };
}
