import { opcodeByName } from '../../../spec/constants.ts';
import type { CongestionProfile, RateCause, RateRecord, SwitchPlan } from '../../../spec/congestion.ts';
import { dcqcnProfile } from '../../../spec/dcqcn.ts';
import { encode } from '../../../wire/index.ts';
import type { PacketFields } from '../../../wire/packet.ts';
import { dut, packetFields, peer, type Fields } from '../trace/packets.ts';
import { Trace } from '../trace/trace.ts';

export const brisk = dcqcnProfile('brisk');
export const responseTime = 1000;
const capabilities = ['rc', 'uc', 'ud', 'rcm', 'dcqcn', 'rate-reports'];

/** A packet that met the switch: bytes in the queue, its ECN bits before and behind. */
interface Hop {
  queued: number;
  in: number;
  out: number;
  fate?: 'forwarded' | 'dropped';
  paused?: boolean;
}

export interface Options {
  service?: 'RC' | 'UC' | 'UD';
  profile?: CongestionProfile;
  path?: SwitchPlan;
  capabilities?: readonly string[];
}

/** Traces of a device with congestion control; its QP goes up to 1024 bytes of payload. The test says when things happen. */
export class CongestionTrace extends Trace {
  #next = 0;

  constructor({ service = 'RC', profile = brisk, path, ...given }: Options = {}) {
    const timing = { responseTime, jitter: 0 };
    super(service, {
      header: { capabilities, congestion: profile, timing, ...(path !== undefined && { path }), ...given },
      judged: /^congestion\//,
      pace: { packet: 0, settle: 0 },
      psn: 0,
      attr: { path_mtu: 1024, timeout: 0, rnr_retry: 7 },
    });
  }

  /** A SEND Only to the device; 3: it met congestion. */
  arrives(ecn: number, fields: Fields = {}): this {
    return this.to('SEND_ONLY', this.#next++, { trafficClass: ecn, payload: new Uint8Array(8) }, fields);
  }

  /** The device sends `length` bytes of payload. */
  sends(length: number, fields: Fields = {}): this {
    const payload = new Uint8Array(length);
    return this.from('SEND_ONLY', this.#next++, { trafficClass: 2, payload }, fields);
  }

  /** The device answers a READ with `length` bytes of payload. */
  answers(length: number, fields: Fields = {}): this {
    const payload = new Uint8Array(length);
    return this.from('RDMA_READ_RESPONSE_MIDDLE', this.#next++, { trafficClass: 2, payload }, fields);
  }

  /** The device is given `length` bytes to send. */
  posts(length: number): this {
    return this.send({ length, send_flags: [] });
  }

  /** A frame that the port of RoCEv2 does not take. */
  frame(ecn: number): this {
    const fields = packetFields('RC', 'to-dut', 'SEND_ONLY', 0, { trafficClass: ecn });
    const frame = encode(fields);
    frame[37] = (frame[37] ?? 0) ^ 1;
    return this.add({ kind: 'frame', t: this.t, direction: 'to-dut', frame });
  }

  #cnp(direction: 'to-dut' | 'from-dut', given: Partial<PacketFields>): this {
    const cnp = { opcode: opcodeByName('CNP'), psn: 0, migReq: false, trafficClass: 1 };
    const [from, to] = direction === 'to-dut' ? [peer, dut] : [dut, peer];
    return this.packet(direction, { ...cnp, destQp: to.qp, srcIp: from.ip, dstIp: to.ip, ...given });
  }

  /** A CNP from the device. */
  cnp(fields: Partial<PacketFields> = {}): this {
    return this.#cnp('from-dut', fields);
  }

  /** A CNP to the device. */
  cnpArrives(fields: Partial<PacketFields> = {}): this {
    return this.#cnp('to-dut', fields);
  }

  rate(cause: RateCause, state: Pick<RateRecord, 'rate' | 'target' | 'alpha'>, qp_num = dut.qp): this {
    const { rate, target, alpha } = state;
    return this.add({ kind: 'rate', t: this.t, record: { qp_num, cause, rate, target, alpha } });
  }

  hop({ queued, in: ecnIn, out: ecnOut, fate = 'forwarded', paused = false }: Hop): this {
    return this.add({ kind: 'hop', t: this.t, queued, bytes: 1000, ecnIn, ecnOut, fate, paused });
  }
}
