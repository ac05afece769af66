import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { VerbsError } from '../../../adapters/adapter.ts';
import {
  decodeDeviceAttr,
  decodePortAttr,
  decodeSrqAttr,
  encodeSrqAttr,
} from '../../../adapters/verbs/attributes.ts';
import { decodeAsyncEvent } from '../../../adapters/verbs/device/events.ts';
import {
  decodeWc,
  encodeAh,
  encodeMwBind,
  encodeRecvWr,
  encodeSendWr,
  sizes,
} from '../../../adapters/verbs/layout.ts';
import { mapMemory, readMemory, unmapMemory, writeMemory } from '../../../adapters/verbs/device/memory.ts';
import type { Libibverbs } from '../../../adapters/verbs/ffi.ts';
import type { SendWr, Sge } from '../../../spec/verbs.ts';

const u32 = fc.nat({ max: 2 ** 32 - 1 });

describe('work requests as C has them', () => {
  const base: SendWr = { wr_id: 1, opcode: 'IBV_WR_SEND', sg_list: [] };

  it('address a datagram by handle, QP number and Q_Key', () => {
    const wr = encodeSendWr(
      { ...base, remote_qpn: 0x123456, remote_qkey: 0x80010000, imm_data: 5, remote_addr: 9n, rkey: 9 },
      { ah: 0x7fff00001234n },
    );
    expect(wr.readBigUInt64LE(40)).toBe(0x7fff00001234n);
    expect([wr.readUInt32LE(48), wr.readUInt32LE(52)]).toEqual([0x123456, 0x80010000]);
    expect(wr.readUInt32BE(36)).toBe(5);
  });

  it('bind a memory window', () => {
    const bind_mw = {
      mw: 1,
      rkey: 0x81828384,
      mr: 2,
      addr: 0x1000n,
      length: 64,
      access: ['IBV_ACCESS_REMOTE_WRITE' as const, 'IBV_ACCESS_REMOTE_READ' as const],
    };
    const wr = encodeSendWr({ ...base, opcode: 'IBV_WR_BIND_MW', bind_mw }, { mw: 0x7f01n, mr: 0x7f02n });
    expect(wr.readUInt32LE(28)).toBe(8);
    expect([80, 96, 104, 112].map((place) => wr.readBigUInt64LE(place))).toEqual([
      0x7f01n,
      0x7f02n,
      0x1000n,
      64n,
    ]);
    expect([wr.readUInt32LE(88), wr.readUInt32LE(120)]).toEqual([0x81828384, 6]);
  });

  it('are made by ibv_bind_mw of what it is to bind', () => {
    const bind = encodeMwBind(
      {
        wr_id: 7,
        send_flags: ['IBV_SEND_SIGNALED'],
        mw: 1,
        mr: 2,
        addr: 0x1000n,
        length: 64,
        access: ['IBV_ACCESS_REMOTE_ATOMIC'],
      },
      0x7f02n,
    );
    expect([0, 16, 24, 32].map((place) => bind.readBigUInt64LE(place))).toEqual([7n, 0x7f02n, 0x1000n, 64n]);
    expect([8, 40].map((place) => bind.readUInt32LE(place))).toEqual([2, 8]);
    expect(bind.length).toBe(48);
  });

  it('name a remote address where there is no handle', () => {
    const wr = encodeSendWr({ ...base, remote_qpn: 7, remote_qkey: 8, remote_addr: 0xabcdn, rkey: 0x42 });
    expect([wr.readBigUInt64LE(40), wr.readUInt32LE(48), wr.readUInt32LE(52)]).toEqual([0xabcdn, 0x42, 0]);
  });

  it('carry an opcode that has no name', () => {
    expect(encodeSendWr({ ...base, raw_opcode: 0xdead }).readUInt32LE(28)).toBe(0xdead);
    expect(encodeSendWr(base).readUInt32LE(28)).toBe(2);
  });

  it('list every scatter/gather element, in order', () => {
    const sge: fc.Arbitrary<Sge> = fc.record({ addr: fc.bigInt(0n, 2n ** 64n - 1n), length: u32, lkey: u32 });
    fc.assert(
      fc.property(fc.array(sge, { maxLength: 8 }), (sg_list) => {
        for (const [bytes, header] of [
          [encodeSendWr({ ...base, sg_list }), sizes.sendWr],
          [encodeRecvWr({ wr_id: 1, sg_list }), sizes.recvWr],
        ] as const) {
          expect(bytes.readInt32LE(24)).toBe(sg_list.length);
          const seen = sg_list.map((_, i) => {
            const at = header + i * sizes.sge;
            return {
              addr: bytes.readBigUInt64LE(at),
              length: bytes.readUInt32LE(at + 8),
              lkey: bytes.readUInt32LE(at + 12),
            };
          });
          expect(seen).toEqual(sg_list);
        }
      }),
    );
  });
});

describe('completions as C has them', () => {
  const completion = (opcode: number, status = 0): Buffer => {
    const b = Buffer.alloc(sizes.wc);
    b.writeUInt32LE(status, 8);
    b.writeUInt32LE(opcode, 12);
    b.writeUInt32LE(54, 20);
    b.writeUInt32LE(17, 28);
    b.writeUInt32LE(0x654321, 32);
    b.writeUInt32LE(1, 36);
    return b;
  };
  const datagram = (qpNum: number): boolean => qpNum === 17;

  it('tell the sender of a datagram, and that a GRH is in front of it', () => {
    const wc = decodeWc(completion(128), 0, datagram);
    expect(wc).toMatchObject({ opcode: 'IBV_WC_RECV', byte_len: 54, src_qp: 0x654321, grh: true });
  });

  it.each([
    ['of a connected QP', 128, 0, (): boolean => false],
    ['of a send', 0, 0, datagram],
    ['that failed', 128, 5, datagram],
  ])('tell no sender of one %s', (_, opcode, status, isDatagram) => {
    const wc = decodeWc(completion(opcode, status), 0, isDatagram);
    expect(wc).not.toHaveProperty('src_qp');
    expect(wc).not.toHaveProperty('grh');
  });
});

describe('attributes as C has them', () => {
  it('address handle', () => {
    const b = encodeAh({
      dgid: '00000000000000000000ffff0a4d0002',
      sgid_index: 3,
      hop_limit: 9,
      traffic_class: 0xb8,
      flow_label: 0xabcde,
      port_num: 2,
    });
    expect(b.toString('hex')).toBe(
      '00000000000000000000ffff0a4d0002' +
        'debc0a00' +
        '03' +
        '09' +
        'b8' +
        '00' +
        '0000000000' +
        '01' +
        '02' +
        '00',
    );
  });

  it('device', () => {
    const b = Buffer.alloc(256);
    const put: [number, number][] = [
      [108, 1000],
      [116, 1 << 13],
      [120, 32],
      [132, 4096],
      [144, 16],
      [156, 8],
      [216, 512],
    ];
    for (const [at, value] of put) b.writeUInt32LE(value, at);
    b.writeUInt8(15, 226);
    expect(decodeDeviceAttr(b)).toEqual({
      max_qp: 1000,
      max_qp_rd_atom: 16,
      max_qp_init_rd_atom: 8,
      local_ca_ack_delay: 15,
      max_sge: 32,
      max_cqe: 4096,
      max_srq_wr: 512,
      srq_resize: true,
      port_active_event: false,
    });
  });

  it('port, whose state and MTU must have names', () => {
    const b = Buffer.alloc(64);
    b.writeUInt32LE(4, 0);
    b.writeUInt32LE(3, 8);
    b.writeUInt32LE(2 ** 31, 20);
    b.writeUInt16LE(128, 32);
    expect(decodePortAttr(b)).toEqual({
      state: 'IBV_PORT_ACTIVE',
      active_mtu: 1024,
      max_msg_sz: 2 ** 31,
      pkey_tbl_len: 128,
    });
    b.writeUInt32LE(9, 0);
    expect(() => decodePortAttr(b)).toThrow(RangeError);
  });

  it('SRQ, and which of its attributes are to change', () => {
    const { bytes, mask } = encodeSrqAttr({ srq_limit: 7 });
    expect(decodeSrqAttr(bytes)).toEqual({ max_wr: 0, max_sge: 0, srq_limit: 7 });
    expect(mask).toBe(2);
    expect(encodeSrqAttr({ max_wr: 3, srq_limit: 0 }).mask).toBe(3);
  });
});

describe('events as C has them', () => {
  const event = (code: number, element: bigint): Buffer => {
    const b = Buffer.alloc(16);
    b.writeBigUInt64LE(element, 0);
    b.writeInt32LE(code, 8);
    return b;
  };
  const owners = {
    cq: (element: bigint): number | undefined => (element === 0x1000n ? 5 : undefined),
    srq: (element: bigint): number | undefined => (element === 0x2000n ? 6 : undefined),
    qpNum: (element: bigint): number => Number(element >> 8n),
  };

  it.each([
    [0, 0x1000n, { event_type: 'IBV_EVENT_CQ_ERR', cq: 5 }],
    [0, 0x9000n, { event_type: 'IBV_EVENT_CQ_ERR' }],
    [1, 0x1700n, { event_type: 'IBV_EVENT_QP_FATAL', qp_num: 0x17 }],
    [16, 0x1700n, { event_type: 'IBV_EVENT_QP_LAST_WQE_REACHED', qp_num: 0x17 }],
    [15, 0x2000n, { event_type: 'IBV_EVENT_SRQ_LIMIT_REACHED', srq: 6 }],
    [14, 0x2000n, { event_type: 'IBV_EVENT_SRQ_ERR', srq: 6 }],
    // the upper half of a union of which only an int was written is anything
    [9, 0xdead00000001n, { event_type: 'IBV_EVENT_PORT_ACTIVE', port_num: 1 }],
    [8, 0x1000n, { event_type: 'IBV_EVENT_DEVICE_FATAL' }],
    [77, 0x1000n, { event_type: 'IBV_EVENT_UNKNOWN_77' }],
  ])('number %i, element %i', (code, element, expected) => {
    expect(decodeAsyncEvent(event(code, element), owners)).toEqual(expected);
  });
});

describe('memory of a region', () => {
  /** C memory as one array that begins at an address. */
  function fakeMemory(): { lib: Libibverbs; bytes: Buffer; base: bigint } {
    const base = 0x10000n;
    const bytes = Buffer.alloc(65536);
    const lib = {
      mmap: () => base,
      munmap: (at: bigint, length: number) => {
        bytes.fill(0xee, Number(at - base), Number(at - base) + length);
        return 0;
      },
      copyOut: (to: Buffer, from: bigint, length: number) =>
        to.set(bytes.subarray(Number(from - base), Number(from - base) + length)),
      copyIn: (to: bigint, from: Buffer, length: number) =>
        bytes.set(from.subarray(0, length), Number(to - base)),
    } as unknown as Libibverbs;
    return { lib, bytes, base };
  }

  it('begins at a page, between bytes that are shown and cannot be written', () => {
    const { lib, bytes, base } = fakeMemory();
    const memory = mapMemory(lib, 100);
    expect(memory.addr % 4096n).toBe(0n);
    expect(memory.addr).toBeGreaterThanOrEqual(base + 64n);
    writeMemory(lib, memory, 0, Buffer.alloc(100, 0x55));
    const at = Number(memory.addr - base);
    bytes[at - 1] = 1;
    bytes[at + 100] = 2;
    const before = readMemory(lib, memory, -64, 65);
    const after = readMemory(lib, memory, 99, 65);
    expect([before.length, before[62], before[63], before[64]]).toEqual([65, 0, 1, 0x55]);
    expect([after.length, after[0], after[1], after[2]]).toEqual([65, 0x55, 2, 0]);
    for (const [offset, length] of [
      [-65, 1],
      [100, 65],
      [0, -1],
    ] as const)
      expect(() => readMemory(lib, memory, offset, length)).toThrow(new VerbsError('read_memory', 22));
    for (const [offset, length] of [
      [-1, 1],
      [100, 1],
    ] as const)
      expect(() => writeMemory(lib, memory, offset, Buffer.alloc(length))).toThrow(VerbsError);
  });

  it('goes with its guards', () => {
    const { lib, bytes } = fakeMemory();
    const memory = mapMemory(lib, 4096);
    unmapMemory(lib, memory);
    expect(bytes.indexOf(0)).toBe(memory.mapped);
    expect(memory.mapped).toBe(3 * 4096);
  });
});
