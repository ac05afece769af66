import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { datagram, datagramBytes, grhBytes, type Datagram } from '../arbitraries/datagram.ts';
import type { Service } from '../arbitraries/unreliable.ts';
import { dataJobs, job, wrOf, type Job } from '../rc-requester/jobs.ts';
import type { Step, WrPlan } from '../scenario.ts';

/** One work request of an unreliable service, whatever the path MTU. */
export type Request = { service: 'UC'; job: Job; sges: number } | UdRequest;

interface UdRequest {
  service: 'UD';
  datagram: Datagram;
  signaled: boolean;
  inline: boolean;
  sges: number;
  /** the Q_Key names: the far QP's, the near QP's own, or none that fits */
  qkey: 'peer' | 'own' | 'other';
  nobody: boolean;
  path: 'peer' | 'other-ip';
}

/** Sound work requests. `signaled`: all of them are. */
export function request(
  service: Service,
  profile: Profile,
  options: { mostMtus?: number; signaled?: boolean } = {},
): fc.Arbitrary<Request> {
  const sges = fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ min: 1, max: 3 }));
  if (service === 'UC') {
    return fc
      .record({ job: job(profile, dataJobs, options), sges })
      .map((drawn) => ({ service: 'UC', ...drawn }));
  }
  const often = <T>(value: T, ...others: T[]): fc.Arbitrary<T> =>
    fc.oneof({ weight: 5, arbitrary: fc.constant(value) }, fc.constantFrom(value, ...others));
  return fc
    .record({
      datagram: datagram(),
      signaled: options.signaled === true ? fc.constant(true) : often(true, false),
      inline: often(false, true),
      sges,
      qkey: often<UdRequest['qkey']>('peer', 'own', 'other'),
      nobody: often(false, true),
      path:
        profile.ipVersions.length > 1
          ? often<UdRequest['path']>('peer', 'other-ip')
          : fc.constant('peer' as const),
    })
    .map((drawn) => ({ service: 'UD', ...drawn }));
}

const mostInline = 64;

/** A Q_Key with this bit set stands for the one that the sending QP has. */
const ownQkey = 0x8000_0000;

export function wrOfRequest(r: Request, mtu: number): WrPlan {
  if (r.service === 'UC') {
    const plan = wrOf(r.job, mtu);
    return r.sges === 1 || plan.inline === true ? plan : { ...plan, sges: r.sges };
  }
  const { immediate, solicited } = r.datagram;
  const length = datagramBytes(r.datagram, mtu);
  return {
    opcode: immediate === undefined ? 'IBV_WR_SEND' : 'IBV_WR_SEND_WITH_IMM',
    length,
    region: 0,
    offset: 0,
    signaled: r.signaled,
    ...(solicited && { solicited }),
    ...(r.inline && length <= mostInline ? { inline: true } : r.sges > 1 && { sges: r.sges }),
    ...(r.qkey !== 'peer' && { qkey: r.qkey === 'own' ? ownQkey : 0x2222_2222 }),
    ...(r.nobody && { nobody: true }),
    ...(r.path === 'other-ip' && { path: r.path }),
  };
}

/** Bytes of receive buffer that a work request asks of a live peer; `undefined` where it takes none. */
export function roomAsked(r: Request, mtu: number): number | undefined {
  const { opcode, length } = wrOfRequest(r, mtu);
  if (r.service === 'UD') return length + grhBytes;
  if (opcode.startsWith('IBV_WR_SEND')) return length;
  return opcode.endsWith('_WITH_IMM') ? 0 : undefined;
}

export function post(wr: WrPlan): Step {
  return { do: 'post_send', wr };
}
