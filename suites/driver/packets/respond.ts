import type { Endpoint } from '../../../adapters/adapter.ts';
import { opcodeByName, opcodes, serviceBits } from '../../../spec/constants.ts';
import { encode, ooethFlags, psnAdd, psnDiff, saethFlags } from '../../../wire/index.ts';
import type { PacketFields } from '../../../wire/packet.ts';
import type { Reply, ResponsePlan, Scenario } from '../../scenario.ts';
import { applyDefect, isSound, spoil } from './defect.ts';
import { fillBytes } from '../setup/fill.ts';
import { addressOf, otherIp } from '../setup/gid.ts';
import { carriesAeth, type PostedWork, type Script } from './script.ts';
import { packetCount } from '../../segments.ts';

export interface ResponseContext {
  scenario: Scenario;
  dut: Endpoint;
  peer: Endpoint;
  /** QP number of the DUT's QP */
  destQp: number;
  script: Script;
}

const noCredits = 0x1f;
/** a QP number that no device gives away */
const nobody = 0xfffffe;

/** The frame that a response plan stands for; notes in the script what it acknowledges. */
export function respond(plan: ResponsePlan, ctx: ResponseContext): Uint8Array {
  const { scenario, script } = ctx;
  const psn = script.psnOf(plan);
  const { reply, defect } = plan;
  const ip = plan.path === 'other-ip' ? otherIp(scenario.ip) : scenario.ip;
  const fields: PacketFields = {
    dstMac: ctx.dut.mac,
    srcMac: ctx.peer.mac,
    srcIp: addressOf(ctx.peer, ip),
    dstIp: addressOf(ctx.dut, ip),
    srcPort: 0xc000 | (ctx.destQp & 0x3fff),
    destQp: ctx.destQp,
    psn,
    ...(plan.ecn !== undefined && { trafficClass: plan.ecn }),
    ...contents(reply, psn, ctx),
  };
  if (scenario.ooo === true && reply.kind !== 'cnp') placed(fields, plan, psn, ctx);
  const refuses = reply.kind === 'nak' || reply.kind === 'rnr';
  const taken = refuses ? psn : psnAdd(psn, 1);
  if (carriesAeth(fields.opcode)) {
    const msn = script.msnBefore(taken) + (plan.msnOffset ?? 0);
    fields.aeth = { syndrome: syndromeOf(reply), msn: msn & 0xffffff };
  }
  if (reply.kind !== 'cnp' && isSound(defect)) script.acknowledged(psn, refuses);
  if (defect !== undefined) applyDefect(fields, defect);
  return spoil(encode(fields), defect, ip, fields.opcode);
}

/** Turns a response into one of an out-of-order QP. */
function placed(
  fields: PacketFields,
  plan: ResponsePlan,
  psn: number,
  { scenario, script }: ResponseContext,
): void {
  const { reply, selective } = plan;
  if (reply.kind !== 'opcode') fields.opcode |= serviceBits.ORC;
  const trigger = selective === undefined ? psn : script.psnOf({ psn: selective });
  fields.saeth = { flags: selective === undefined ? 0 : saethFlags.selective, trigger };
  const work = script.at(psn);
  const index = reply.kind === 'read' ? (reply.index ?? 0) : 0;
  fields.ooeth = {
    flags: ooethFlags.readWqe,
    recvWqeSn: 0,
    readWqeSn: work === undefined ? 0 : script.readsBefore(work),
    offset: index * scenario.mtu,
  };
}

function syndromeOf(reply: Reply): number {
  switch (reply.kind) {
    case 'nak':
      return 0x60 | reply.code;
    case 'rnr':
      return 0x20 | reply.timer;
    case 'syndrome':
      return reply.value;
    case 'ack':
    case 'read':
    case 'atomic':
    case 'opcode':
    case 'cnp':
      return noCredits;
  }
}

type Contents = Pick<PacketFields, 'opcode' | 'payload' | 'atomicOriginal'> & Partial<PacketFields>;

function contents(reply: Reply, psn: number, ctx: ResponseContext): Contents {
  const work = ctx.script.at(psn);
  switch (reply.kind) {
    case 'ack':
    case 'nak':
    case 'rnr':
    case 'syndrome':
      return { opcode: opcodeByName('RC_ACKNOWLEDGE') };
    case 'atomic': {
      const n = work === undefined ? 0 : ctx.script.numberOf(work);
      const value = reply.value ?? String(0x0102030405060708n + 0x1111n * BigInt(n));
      return { opcode: opcodeByName('RC_ATOMIC_ACKNOWLEDGE'), atomicOriginal: BigInt(value) };
    }
    case 'cnp':
      return {
        opcode: opcodeByName('CNP'),
        psn: 0,
        migReq: false,
        ...(reply.qp === 'nobody' && { destQp: nobody }),
        ...(reply.ecn !== undefined && { trafficClass: reply.ecn }),
      };
    case 'opcode':
      return {
        opcode: reply.value,
        ...(opcodes[reply.value]?.payload === true && { payload: fillBytes(psn, 8) }),
      };
    case 'read':
      return readContents(reply, psn, work, ctx);
  }
}

function readContents(
  reply: Extract<Reply, { kind: 'read' }>,
  psn: number,
  work: PostedWork | undefined,
  { scenario }: ResponseContext,
): Contents {
  const opcodeAt = (position: string): number => opcodeByName(`RC_RDMA_READ_RESPONSE_${position}`);
  if (work?.plan.opcode !== 'IBV_WR_RDMA_READ') {
    const length = Math.max(0, 8 + (reply.bytes ?? 0));
    return { opcode: opcodeAt(reply.position ?? 'ONLY'), payload: fillBytes(reply.fill ?? psn, length) };
  }
  const { plan, requestPsn } = work;
  const placed = scenario.ooo === true;
  const psns = placed ? packetCount(plan.length, scenario.mtu) : work.psns;
  const index = placed ? (reply.index ?? 0) : psnDiff(psn, work.psn);
  const first = placed ? index === 0 : psn === requestPsn;
  const last = index === psns - 1;
  const fitting = first ? (last ? 'ONLY' : 'FIRST') : last ? 'LAST' : 'MIDDLE';
  const sound = last ? plan.length - index * scenario.mtu : scenario.mtu;
  const length = Math.max(0, sound + (reply.bytes ?? 0));
  const from = plan.offset + index * scenario.mtu;
  return {
    opcode: opcodeAt(reply.position ?? fitting),
    payload:
      reply.fill === undefined
        ? regionBytes(scenario, plan.region, from, length)
        : fillBytes(reply.fill, length),
  };
}

/** What a region holds from an offset on; zeros outside of it. */
function regionBytes(scenario: Scenario, index: number, from: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  const region = scenario.regions[index];
  if (region === undefined) return bytes;
  const held = fillBytes(region.fill, region.length);
  const start = Math.max(0, from);
  if (start < held.length && start < from + length)
    bytes.set(held.subarray(start, Math.min(held.length, from + length)), start - from);
  return bytes;
}
