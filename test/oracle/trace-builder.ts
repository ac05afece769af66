import { opcodeByName } from '../../spec/constants.ts';
import type { AccessFlag, EventType, WcStatus } from '../../spec/verbs.ts';
import type { TraceEvent, TraceHeader } from '../../oracle/trace.ts';
import type { Packet, PacketFields } from '../../wire/packet.ts';
import { decode, encode } from '../../wire/index.ts';
import { everyRight } from '../rights.ts';

const dutIp = '10.0.0.1';
const peerIp = '10.0.0.2';
const dutQp = 0x11;
const peerQp = 0x22;
export const regionAddress = 0x10000n;
export const regionKey = 0x77;

/** Writes traces by hand: a QP in RTS at the expected PSN given, with one region that grants everything. */
export class TraceBuilder {
  readonly events: TraceEvent[] = [];
  readonly header: TraceHeader = {
    sight: { packets: 'at-device', verbs: true },
    clock: 'virtual',
    capabilities: ['rc', 'atomic'],
    dut: { addresses: [dutIp] },
  };
  #t = 0;
  #wr = 0;

  constructor(ePsn = 100, options: { access?: AccessFlag[]; maxDestRdAtomic?: number } = {}) {
    const t = 0;
    const start = 0;
    this.events.push(
      {
        kind: 'call',
        t,
        start,
        call: 'reg_mr',
        pd: 1,
        mr: 1,
        addr: regionAddress,
        length: 8192,
        lkey: 0x66,
        rkey: regionKey,
        access: everyRight,
      },
      {
        kind: 'call',
        t,
        start,
        call: 'create_qp',
        pd: 1,
        qp: 1,
        qp_num: dutQp,
        qp_type: 'IBV_QPT_RC',
        send_cq: 1,
        recv_cq: 1,
        max_recv_wr: 64,
        max_send_wr: 64,
      },
      {
        kind: 'call',
        t,
        start,
        call: 'modify_qp',
        qp: 1,
        attr: {
          qp_state: 'IBV_QPS_INIT',
          pkey_index: 0,
          port_num: 1,
          qp_access_flags: options.access ?? everyRight,
        },
      },
      {
        kind: 'call',
        t,
        start,
        call: 'modify_qp',
        qp: 1,
        attr: {
          qp_state: 'IBV_QPS_RTR',
          path_mtu: 256,
          rq_psn: ePsn,
          dest_qp_num: peerQp,
          min_rnr_timer: 12,
          max_dest_rd_atomic: options.maxDestRdAtomic ?? 4,
          ah_attr: { dgid: '00000000000000000000ffff0a000002', sgid_index: 0 },
        },
      },
      {
        kind: 'call',
        t,
        start,
        call: 'modify_qp',
        qp: 1,
        attr: {
          qp_state: 'IBV_QPS_RTS',
          timeout: 14,
          retry_cnt: 7,
          rnr_retry: 6,
          sq_psn: 0x2000,
          max_rd_atomic: 1,
        },
      },
    );
  }

  post(length = 256): this {
    const addr = regionAddress + 4096n + BigInt(256 * (this.#wr % 16));
    const wr = { wr_id: ++this.#wr, sg_list: [{ addr, length, lkey: 0x66 }] };
    this.events.push({ kind: 'call', t: this.#t, start: this.#t, call: 'post_recv', qp: 1, wr });
    return this;
  }

  /** Packet to the DUT; operation without the service, e.g. `SEND_ONLY`. */
  request(operation: string, psn: number, fields: Partial<PacketFields> = {}): this {
    return this.#packet('to-dut', {
      opcode: opcodeByName(`RC_${operation}`),
      psn,
      destQp: dutQp,
      srcIp: peerIp,
      dstIp: dutIp,
      ackReq: true,
      ...fields,
    });
  }

  response(operation: string, psn: number, fields: Partial<PacketFields> = {}): this {
    return this.#packet('from-dut', {
      opcode: opcodeByName(`RC_${operation}`),
      psn,
      destQp: peerQp,
      srcIp: dutIp,
      dstIp: peerIp,
      ...fields,
    });
  }

  ack(psn: number, msn: number, syndrome = 0x1f): this {
    return this.response('ACKNOWLEDGE', psn, { aeth: { syndrome, msn } });
  }

  completion(wrId: number, status: WcStatus = 'IBV_WC_SUCCESS', length = 0, immediate?: number): this {
    const wc = { wr_id: wrId, status, qp_num: dutQp, byte_len: length, opcode: 'IBV_WC_RECV' as const };
    this.events.push({
      kind: 'completion',
      t: this.#t,
      cq: 1,
      wc: immediate === undefined ? wc : { ...wc, imm_data: immediate },
    });
    return this;
  }

  event(type: EventType): this {
    this.events.push({ kind: 'async', t: this.#t, event: { event_type: type, qp_num: dutQp } });
    return this;
  }

  memory(offset: number, bytes: Uint8Array): this {
    this.events.push({ kind: 'memory', t: this.#t, mr: 1, offset, bytes });
    return this;
  }

  settle(): this {
    this.events.push({ kind: 'settled', t: (this.#t += 1000) });
    return this;
  }

  #packet(direction: 'to-dut' | 'from-dut', fields: PacketFields): this {
    const t = (this.#t += 10);
    this.events.push({
      kind: 'packet',
      t,
      direction,
      packet: packetOf(fields),
      number: this.events.length + 1,
    });
    return this;
  }
}

/** The packet that the codec makes of the fields. */
export function packetOf(fields: PacketFields): Packet {
  const decoded = decode(encode(fields));
  if (decoded.kind !== 'packet') throw new Error(`${decoded.kind}: ${decoded.reason}`);
  return decoded.packet;
}
