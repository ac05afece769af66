import type { Packet } from '../../wire/packet.ts';
import type { VerbsCall } from '../trace.ts';
import { Memory } from './memory.ts';
import { ReceiveQueue } from './receive-queue.ts';
import type { RcQp } from './connection.ts';
import type { ResponderJudge } from '../rc-responder/judge.ts';

/** The objects that verbs calls of a trace made. */
export class Device {
  readonly memory = new Memory();
  readonly byHandle = new Map<number, ResponderJudge>();
  readonly byNumber = new Map<number, ResponderJudge>();
  /** shared receive queues and the QPs on them */
  readonly srqs = new Map<number, { posted: ReceiveQueue; users: ResponderJudge[] }>();
}

/** A QP created by verbs, whose packets are seen at the device. */
export function connectionOf(
  call: Extract<VerbsCall, { call: 'create_qp' }>,
  device: Device,
  sight: { atDevice: boolean; capabilities: ReadonlySet<string> | undefined },
): RcQp {
  return {
    name: `qp 0x${call.qp_num.toString(16).padStart(6, '0')}`,
    atDevice: sight.atDevice,
    verbs: true,
    qpNumber: call.qp_num,
    peerQpNumber: undefined,
    peerAddress: undefined,
    pd: call.pd,
    srq: call.srq !== undefined,
    access: [],
    minRnrTimer: undefined,
    maxDestRdAtomic: 0,
    pkey: 0xffff,
    capabilities: sight.capabilities,
    memory: device.memory,
    posted: (call.srq === undefined ? undefined : device.srqs.get(call.srq)?.posted) ?? new ReceiveQueue(),
  };
}

/** What takes packets to QP numbers that the device does not have. */
export function connectionOfNobody(device: Device, capabilities: ReadonlySet<string> | undefined): RcQp {
  const none = { pd: -1, qp: -1, qp_num: -1, send_cq: -1, recv_cq: -1, max_recv_wr: 0, max_send_wr: 0 };
  const call = { call: 'create_qp', qp_type: 'IBV_QPT_RC', ...none } as const;
  return connectionOf(call, device, { atDevice: true, capabilities });
}

/** Of all QPs the one whose peer the packet is addressed to; with one QP only, that one, wherever the packet goes. */
export function senderOf<T>(packet: Packet, qps: Iterable<T>, connection: (qp: T) => RcQp): T | undefined {
  let count = 0;
  let newest: T | undefined;
  for (const qp of qps) {
    if (connection(qp).peerQpNumber === packet.destQp) return qp;
    newest = qp;
    count++;
  }
  return count === 1 ? newest : undefined;
}
