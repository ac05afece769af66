import { handleOf } from '../setup/handles.ts';
import type { RegisteredMr } from '../../../adapters/adapter.ts';
import type { RecvWr, SendWr, Sge } from '../../../spec/verbs.ts';
import type { LocalFault, Step, WrPlan } from '../../scenario.ts';
import type { Buffers, OwnRegion } from '../setup/buffers.ts';
import { badKey } from '../packets/craft.ts';
import type { End } from '../setup/end.ts';
import { fillBytes } from '../setup/fill.ts';
import type { Recorder } from '../recorder.ts';
import { bindingOf, endedKey } from '../windows.ts';

/** What a send WR is aimed at. */
export interface Aim {
  regions: readonly RegisteredMr[];
  /** UD: QP number and Q_Key of the other end */
  qpNum: number;
  qkey: number;
}

/** Ids of receive WRs count from 1, those of send WRs from 1000, behind those of the ends before. */
function idOf({ firstId, plan }: End, queue: 'send' | 'receive', n: number): number {
  if (n === 0 && firstId === 0 && plan.zeroId === queue) return 0;
  return firstId + (queue === 'send' ? 1000 : 1) + n;
}

/** The n-th receive WR of an end; each has its own memory. */
export function recvWr(end: End, n: number, step: Extract<Step, { do: 'post_recv' }>): RecvWr {
  const fault = step.badLkey === true ? 'lkey' : step.localFault;
  return { wr_id: idOf(end, 'receive', n), sg_list: sgList(end, end.receives, n, fault) };
}

/** The n-th send WR of an end. */
export function sendWr(end: End, n: number, plan: WrPlan, aim: Aim): SendWr {
  const { regions } = aim;
  const wr: SendWr = {
    wr_id: idOf(end, 'send', n),
    opcode: plan.opcode,
    sg_list: sgList(end, end.sends, n, plan.badLkey === true ? 'lkey' : plan.localFault),
    send_flags: [],
  };
  const once = wr.sg_list;
  for (let i = 1; i < (plan.repeat ?? 1); i++) wr.sg_list = [...wr.sg_list, ...once];
  if (plan.signaled) wr.send_flags?.push('IBV_SEND_SIGNALED');
  if (plan.solicited === true) wr.send_flags?.push('IBV_SEND_SOLICITED');
  if (plan.fence === true) wr.send_flags?.push('IBV_SEND_FENCE');
  if (plan.inline === true) wr.send_flags?.push('IBV_SEND_INLINE');
  if (plan.opcode.endsWith('_WITH_IMM')) wr.imm_data = plan.immediate ?? 0x1000 + n;
  if (plan.rawOpcode !== undefined) wr.raw_opcode = plan.rawOpcode;
  const target = regions[plan.region];
  if (plan.opcode === 'IBV_WR_LOCAL_INV') return { ...wr, ...endedKey(end, plan) };
  if (plan.opcode === 'IBV_WR_BIND_MW') return { ...wr, ...bindingOf(end, plan, target) };
  if (plan.opcode === 'IBV_WR_SEND_WITH_INV') wr.invalidate_rkey = target?.rkey ?? 0;
  if (target !== undefined && !plan.opcode.startsWith('IBV_WR_SEND')) {
    wr.remote_addr = BigInt.asUintN(64, target.addr + BigInt(plan.offset));
    wr.rkey = plan.badRkey === true ? badKey(target.rkey, regions) : target.rkey;
  }
  if (plan.opcode === 'IBV_WR_ATOMIC_CMP_AND_SWP') {
    wr.compare_add = BigInt(plan.compare ?? '0');
    wr.swap = BigInt(plan.swapOrAdd ?? '0');
  } else if (plan.opcode === 'IBV_WR_ATOMIC_FETCH_AND_ADD') {
    wr.compare_add = BigInt(plan.swapOrAdd ?? '0');
  }
  const ah = end.handles.get(handleOf(plan).key);
  if (ah === undefined) return wr;
  return {
    ...wr,
    ah,
    remote_qpn: plan.nobody === true ? aim.qpNum ^ 0x7f0000 : aim.qpNum,
    remote_qkey: plan.qkey ?? aim.qkey,
  };
}

/** Takes away the region that a work request is to miss when it is posted. */
export async function beforePost(
  { verbs, qp, ofDut }: End,
  buffers: Buffers,
  n: number,
  recorder: Recorder,
): Promise<void> {
  const region = buffers.pieces[n]?.at(-1)?.region;
  if (buffers.faults[n] !== 'deregistered' || region === undefined) return;
  const dereg = async (): Promise<void> => verbs.dereg_mr(region.mr);
  if (ofDut) await recorder.attempt(qp, dereg, { call: 'dereg_mr', mr: region.mr });
  else await dereg();
  region.deregistered = true;
}

/** Overwrites the memory of a work request, and notes it. */
export async function overwrite(
  { verbs, role, sends, receives }: End,
  step: Extract<Step, { do: 'write_buffer' }>,
  recorder: Recorder,
): Promise<void> {
  const buffers = role === 'requester' ? sends : receives;
  for (const { region, offset, length } of buffers.pieces[step.wr] ?? []) {
    if (length === 0 || region.deregistered === true) continue;
    const bytes = fillBytes(step.fill, length);
    await recorder.call(
      () => verbs.write_memory(region.mr, offset, bytes),
      () => ({ call: 'write_memory', mr: region.mr, offset, bytes }),
    );
  }
}

function sgList(end: End, buffers: Buffers, n: number, fault: LocalFault | undefined): Sge[] {
  const pieces = buffers.pieces[n] ?? [];
  return pieces.map(({ region, offset, length }, i) => ({
    addr: region.addr + BigInt(offset),
    length,
    lkey: i === pieces.length - 1 ? keyFor(region, fault, end) : region.lkey,
  }));
}

function keyFor(region: OwnRegion, fault: LocalFault | undefined, end: End): number {
  if (fault === 'rkey') return region.rkey;
  return fault === 'lkey' ? strangeKey(region, end) : region.lkey;
}

function strangeKey(region: OwnRegion, { regions, sends, receives }: End): number {
  return badKey(region.lkey, [...regions, ...sends.regions, ...receives.regions]);
}
