import { atomicBytes } from '../../spec/constants.ts';
import type { AccessFlag } from '../../spec/verbs.ts';
import { workRequests } from '../../spec/work-requests.ts';
import { inside, totalLength } from '../device/memory.ts';
import type { Objects } from '../device/objects.ts';
import { allUsable, type End, type OpenSend } from './end.ts';
import type { EndToEndInputs } from './variables.ts';

export type Asked = EndToEndInputs['work']['asked'];

/** What a work request and both its ends bring along. */
export type Work = Pick<EndToEndInputs, 'work' | 'port' | 'own' | 'peer' | 'receive' | 'target' | 'seen'>;

/** What a work request asks for; `undefined` where the tables do not speak of it. */
export function askedOf({ wr }: OpenSend): Asked | undefined {
  const { asks, carries } = workRequests[wr.opcode];
  if (asks === 'internal' || carries === 'invalidate') return undefined;
  return carries === 'immediate' && (asks === 'send' || asks === 'write') ? `${asks}-immediate` : asks;
}

/** Whether work takes a receive WQE of the QP that it aims at. `undefined`: SEND with invalidate. */
export function takesReceive(asked: Asked | undefined): boolean {
  return asked !== 'write' && asked !== 'read' && asked !== 'atomic';
}

const rights: Readonly<Record<Asked, AccessFlag | undefined>> = {
  send: undefined,
  'send-immediate': undefined,
  write: 'IBV_ACCESS_REMOTE_WRITE',
  'write-immediate': 'IBV_ACCESS_REMOTE_WRITE',
  read: 'IBV_ACCESS_REMOTE_READ',
  atomic: 'IBV_ACCESS_REMOTE_ATOMIC',
};

/** `to`: the QP that a work request of `from` aims at. */
export function workOf(
  { memory, port, capabilities }: Objects,
  from: End,
  to: End | undefined,
  { wr }: OpenSend,
  asked: Asked,
): Work {
  const length = totalLength(wr.sg_list);
  const right = rights[asked];
  const aim = wr.remote_addr ?? 0n;
  const region = right === undefined ? undefined : memory.byRkey(wr.rkey ?? 0);
  const [wqe] = to?.receives.waiting ?? [];
  return {
    work: {
      asked,
      raw: wr.raw_opcode !== undefined,
      length,
      inline: wr.send_flags?.includes('IBV_SEND_INLINE') === true,
      usable: allUsable(memory, from.qp.pd, wr.sg_list, asked === 'read' || asked === 'atomic'),
      misalignment: Number(aim % BigInt(atomicBytes)),
      qkey: wr.remote_qkey ?? 0,
    },
    port: { active_mtu: port?.active_mtu ?? -1, max_msg_sz: port?.max_msg_sz ?? -1 },
    own: { service: from.service, qkey: from.qp.qkey, maxRdAtomic: from.qp.maxRdAtomic },
    peer: {
      found: to !== undefined,
      service: to?.service ?? from.service,
      state: to?.qpState ?? 'RESET',
      connected: to?.qp.peerQpNumber === from.qp.qpNumber,
      qkey: to?.qp.qkey,
      allows: right !== undefined && to?.qp.access?.includes(right) === true,
      maxDestRdAtomic: to?.qp.maxDestRdAtomic ?? 0,
      otherReasons: capabilities?.has('rnr-any-request') === true,
    },
    seen: {
      rnr: from.sendsSeen.some(({ wc }) => wc.wr_id === wr.wr_id && wc.status === 'IBV_WC_RNR_RETRY_EXC_ERR'),
    },
    receive: {
      waits: wqe !== undefined,
      room: totalLength(wqe?.sg_list ?? []),
      usable: to !== undefined && allUsable(memory, to.qp.receivePd, wqe?.sg_list ?? [], true),
    },
    target: {
      alive: region?.alive === true,
      samePd: region?.pd === to?.qp.pd,
      inside: region !== undefined && inside(region, aim, length),
      begins: region !== undefined && inside(region, aim, Math.min(length, from.qp.pmtu)),
      grants: right !== undefined && region?.access.includes(right) === true,
    },
  };
}
