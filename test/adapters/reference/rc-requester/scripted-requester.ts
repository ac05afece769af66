import { encodeSyndrome, nakCodeByName, opcodeByName, type NakCode } from '../../../../spec/constants.ts';
import type { QpAttr, SendWr } from '../../../../spec/verbs.ts';
import { encode, type Packet, type PacketFields } from '../../../../wire/index.ts';
import { VirtualClock } from '../../../../adapters/virtual-clock.ts';
import type { MutantId, ReferenceConfig } from '../../../../adapters/reference/index.ts';
import { connect, makeSide, packetOf, poll } from '../pair.ts';

/** First PSN of the requester: the second packet wraps. */
export const start = 0xffffff;
export const mtu = 256;

export interface RequesterOptions {
  qp?: QpAttr;
  config?: Partial<ReferenceConfig>;
  mutant?: MutantId;
  /** state to stop at; default RTS */
  upTo?: 'RTR' | 'RTS';
}

export type Post = Partial<SendWr> & { length?: number; signaled?: boolean };

/** A reference NIC as requester whose peer only exists as crafted responses. PSNs are given relative to `start`. */
export async function scriptedRequester(options: RequesterOptions = {}) {
  const clock = new VirtualClock();
  const sent: { at: number; psn: number; packet: Packet }[] = [];
  const side = await makeSide(
    clock,
    0,
    (frame) => {
      const packet = packetOf(frame);
      sent.push({ at: clock.now(), psn: (packet.psn - start) & 0xffffff, packet });
    },
    options,
  );
  await connect(side, { num: 0x77, ip: '10.0.0.2' }, 5, start, options, options.upTo ?? 'RTS');

  const respond = (psn: number, fields: Partial<PacketFields>): void =>
    side.nic.receive(
      encode({
        srcIp: '10.0.0.2',
        dstIp: '10.0.0.1',
        opcode: opcodeByName('RC_ACKNOWLEDGE'),
        destQp: side.num,
        psn: (start + psn) & 0xffffff,
        ...fields,
      }),
    );
  const syndrome = (value: number) => ({ aeth: { syndrome: value, msn: 0 } });
  let posted = 0;
  return {
    clock,
    side,
    sent,
    respond,
    ack: (psn: number, fields: Partial<PacketFields> = {}): void =>
      respond(psn, { ...syndrome(0x1f), ...fields }),
    nak: (psn: number, code: NakCode): void =>
      respond(psn, syndrome(encodeSyndrome('nak', nakCodeByName(code)))),
    rnr: (psn: number, code: number): void => respond(psn, syndrome(encodeSyndrome('rnr-nak', code))),
    raw: (psn: number, value: number): void => respond(psn, syndrome(value)),
    read: (
      psn: number,
      position: 'FIRST' | 'MIDDLE' | 'LAST' | 'ONLY',
      bytes: number,
      fill: number,
      fields: Partial<PacketFields> = {},
    ): void =>
      respond(psn, {
        opcode: opcodeByName(`RC_RDMA_READ_RESPONSE_${position}`),
        ...(position === 'MIDDLE' ? {} : syndrome(0x1f)),
        payload: new Uint8Array(bytes).fill(fill),
        ...fields,
      }),
    atomic: (psn: number, original: bigint): void =>
      respond(psn, {
        opcode: opcodeByName('RC_ATOMIC_ACKNOWLEDGE'),
        ...syndrome(0x1f),
        atomicOriginal: original,
      }),
    /** wr_id counts up from 1; the buffer begins at 4096 times the id, except where an sg_list is given */
    post: async (opcode: SendWr['opcode'], length = 8, more: Post = {}): Promise<void> => {
      const wr_id = ++posted;
      const { signaled = true, send_flags = [], ...rest } = more;
      await side.verbs.post_send(side.qp, {
        wr_id,
        opcode,
        sg_list: [{ addr: side.mr.addr + BigInt(wr_id * 4096), length, lkey: side.mr.lkey }],
        send_flags: [...(signaled ? (['IBV_SEND_SIGNALED'] as const) : []), ...send_flags],
        remote_addr: 0x5000n,
        rkey: 0x99,
        ...rest,
      });
    },
    /** A second life of the QP, from the first PSN on. */
    restart: async (qp: QpAttr): Promise<void> => {
      await side.verbs.modify_qp(side.qp, { qp_state: 'IBV_QPS_RESET' });
      await side.verbs.modify_qp(side.qp, {
        qp_state: 'IBV_QPS_INIT',
        pkey_index: 0,
        port_num: 1,
        qp_access_flags: [],
      });
      await connect(side, { num: 0x77, ip: '10.0.0.2' }, 5, start, { qp });
    },
    buffer: (wr_id: number, length: number) => side.verbs.read_memory(side.mr.mr, wr_id * 4096, length),
    psns: () => sent.map((s) => s.psn),
    times: (psn: number) => sent.filter((s) => s.psn === psn).map((s) => s.at),
    completions: () => poll(side),
    statuses: async () => (await poll(side)).map((wc): [number, string] => [wc.wr_id, wc.status]),
    state: async () => (await side.verbs.query_qp(side.qp)).qp_state,
    events: side.events,
  };
}

export type Requester = Awaited<ReturnType<typeof scriptedRequester>>;
