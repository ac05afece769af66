import type { Endpoint, RegisteredMr } from '../../../adapters/adapter.ts';
import { opcodeByName, opcodes, type Service } from '../../../spec/constants.ts';
import { encode, ooethFlags, psnAdd, type Ooeth } from '../../../wire/index.ts';
import type { PacketFields } from '../../../wire/packet.ts';
import type { PacketDefect, PacketPlan, PlacePlan, Scenario } from '../../scenario.ts';
import { applyDefect, isSound, spoil } from './defect.ts';
import type { Belongings } from '../setup/common.ts';
import { fillBytes } from '../setup/fill.ts';
import { addressOf, otherIp } from '../setup/gid.ts';
import { packetCount } from '../../segments.ts';

export interface CraftContext extends Belongings {
  scenario: Scenario;
  dut: Endpoint;
  peer: Endpoint;
  /** QP number of the DUT's QP */
  destQp: number;
  /** what another scenario on the device has to aim at */
  belongings: (number: number) => Belongings | undefined;
  /** QP number of the peer that the packets come from, and Q_Key of the DUT's QP */
  srcQp: number;
  qkey: number;
  /** expected PSN of the responder */
  next: number;
  /** counts the packets of a scenario, so that no two carry the same payload */
  ordinal: number;
}

export interface Crafted {
  frame: Uint8Array;
  psn: number;
  /** PSNs that the responder's expected PSN moves by if the packet is accepted; 0: it is not for it to accept */
  psns: number;
  /** it is the first packet of a message */
  begins: boolean;
}

/** The frame that a packet plan stands for. */
export function craft(plan: PacketPlan, ctx: CraftContext): Crafted {
  const { scenario } = ctx;
  const ip = plan.path === 'other-ip' ? otherIp(scenario.ip) : scenario.ip;
  const service = serviceOf(scenario);
  const opcode =
    typeof plan.operation === 'number' ? plan.operation : opcodeByName(`${service}_${plan.operation}`);
  const fixed = plan.psn.from === 'start';
  const psn = psnAdd(fixed ? scenario.requester.startPsn : ctx.next, plan.psn.offset);
  const length = Math.max(0, plan.payload.mtus * scenario.mtu + plan.payload.bytes);
  const fields: PacketFields = {
    dstMac: ctx.dut.mac,
    srcMac: ctx.peer.mac,
    srcIp: addressOf(ctx.peer, ip),
    dstIp: addressOf(ctx.dut, ip),
    srcPort: 0xc000 | (ctx.destQp & 0x3fff),
    opcode,
    destQp: ctx.destQp,
    psn,
    ...(plan.ecn !== undefined && { trafficClass: plan.ecn }),
    ackReq: plan.ackReq,
    solicited: plan.solicited === true,
  };
  if (length > 0) fields.payload = fillBytes(0x40 + (fixed ? plan.psn.offset : ctx.ordinal), length);
  if (plan.immediate !== undefined) fields.immediate = plan.immediate;
  if (plan.invalidate !== undefined) fields.invalidateRkey = endedKey(plan.invalidate, ctx);
  if (opcodes[opcode]?.headers.includes('DETH') === true)
    fields.deth = { qkey: plan.qkey ?? ctx.qkey, srcQp: ctx.srcQp };
  addTarget(fields, plan, ctx);
  if (plan.place !== undefined) fields.ooeth = ooethOf(plan.place, scenario.mtu);
  if (plan.defect !== undefined) applyDefect(fields, plan.defect);
  return {
    frame: spoil(encode(fields), plan.defect, ip, fields.opcode),
    psn,
    psns: lands(plan.defect) ? psnsOf(plan, opcode, scenario.mtu) : 0,
    begins: /_(FIRST|ONLY)/.test(opcodes[opcode]?.operation ?? ''),
  };
}

function addTarget(fields: PacketFields, plan: PacketPlan, ctx: CraftContext): void {
  const headers = opcodes[fields.opcode]?.headers ?? [];
  const { target } = plan;
  const owner = target?.of === undefined ? ctx : ctx.belongings(target.of);
  const mr = target === undefined || owner === undefined ? undefined : aimedAt(target, owner);
  const va =
    mr === undefined || target === undefined ? 0n : BigInt.asUintN(64, mr.addr + BigInt(target.offset));
  const rkey = mr === undefined || owner === undefined ? 0 : keyOf(mr, target, owner);
  if (headers.includes('RETH')) fields.reth = { va, rkey, dmaLen: target?.length ?? 0 };
  if (headers.includes('AtomicETH')) {
    const { compare, swapOrAdd } = plan.atomic ?? { compare: '0', swapOrAdd: '0' };
    fields.atomicEth = { va, rkey, swapOrAdd: BigInt(swapOrAdd), compare: BigInt(compare) };
  }
}

function aimedAt(
  { region, former }: NonNullable<PacketPlan['target']>,
  ctx: Belongings,
): RegisteredMr | undefined {
  return (former === true ? ctx.former.get(region) : undefined) ?? ctx.regions[region];
}

function keyOf(
  { lkey, rkey }: RegisteredMr,
  target: PacketPlan['target'],
  { regions, windows }: Belongings,
): number {
  if (target?.window !== undefined)
    return windows[target.window]?.[target.former === true ? 'former' : 'rkey'] ?? 0;
  if (target?.rkey === 'local') return lkey;
  return target?.rkey === 'bad' ? badKey(rkey, regions) : rkey;
}

function endedKey(plan: NonNullable<PacketPlan['invalidate']>, { regions, windows }: CraftContext): number {
  if (plan === 'none') return badKey(regions[0]?.rkey ?? 0, regions);
  return (typeof plan === 'number' ? regions[plan] : windows[plan.window])?.rkey ?? 0;
}

function ooethOf({ recvWqe, readWqe, offset }: PlacePlan, mtu: number): Ooeth {
  return {
    flags:
      (recvWqe === undefined ? 0 : ooethFlags.recvWqe) | (readWqe === undefined ? 0 : ooethFlags.readWqe),
    recvWqeSn: recvWqe ?? 0,
    readWqeSn: readWqe ?? 0,
    offset: offset.mtus * mtu + offset.bytes,
  };
}

/** Service of a scenario's packets. */
export function serviceOf({ service = 'RC', ooo }: Scenario): Service {
  return ooo === true ? 'ORC' : service;
}

/** A key near a good one that is none of the scenario's. */
export function badKey(good: number, regions: readonly { rkey: number; lkey: number }[]): number {
  let key = (good ^ 0xa5) >>> 0;
  while (regions.some((r) => r.rkey === key || r.lkey === key))
    key = (key ^ 0x5a00 ^ ((key + 1) & 0xff)) >>> 0;
  return key;
}

function psnsOf(plan: PacketPlan, opcode: number, mtu: number): number {
  if (opcodes[opcode]?.operation !== 'RDMA_READ_REQUEST') return 1;
  return packetCount(plan.target?.length ?? 0, mtu);
}

/** Whether the packet reaches the responder's PSN check at all. */
function lands(defect: PacketDefect | undefined): boolean {
  return isSound(defect) || defect?.kind === 'pad';
}
