import type { RegisteredMr } from '../../adapters/adapter.ts';
import type { RecvWr, SendWr, Sge } from '../../spec/verbs.ts';
import type { Step, WrPlan } from '../scenario.ts';
import { badKey } from './craft.ts';
import type { End } from './end.ts';
import { fillBytes } from './fill.ts';
import type { Recorder } from './recorder.ts';

/** The n-th receive WR of a scenario; each has its own part of the receive buffers. */
export function recvWr(end: End, n: number, step: Extract<Step, { do: 'post_recv' }>): RecvWr {
  return { wr_id: n + 1, sg_list: sge(end, n, step.badLkey === true) };
}

/** The n-th send WR of a scenario. */
export function sendWr(end: End, n: number, plan: WrPlan, regions: readonly RegisteredMr[]): SendWr {
  const wr: SendWr = {
    wr_id: 1000 + n,
    opcode: plan.opcode,
    sg_list: sge(end, n, plan.badLkey === true),
    send_flags: [],
  };
  if (plan.signaled) wr.send_flags?.push('IBV_SEND_SIGNALED');
  if (plan.solicited === true) wr.send_flags?.push('IBV_SEND_SOLICITED');
  if (plan.fence === true) wr.send_flags?.push('IBV_SEND_FENCE');
  if (plan.inline === true) wr.send_flags?.push('IBV_SEND_INLINE');
  if (plan.opcode.endsWith('_WITH_IMM')) wr.imm_data = 0x1000 + n;
  const target = regions[plan.region];
  if (target !== undefined && !plan.opcode.startsWith('IBV_WR_SEND')) {
    wr.remote_addr = target.addr + BigInt(plan.offset);
    wr.rkey = plan.badRkey === true ? badKey(target.rkey, regions) : target.rkey;
  }
  if (plan.opcode === 'IBV_WR_ATOMIC_CMP_AND_SWP') {
    wr.compare_add = BigInt(plan.compare ?? '0');
    wr.swap = BigInt(plan.swapOrAdd ?? '0');
  } else if (plan.opcode === 'IBV_WR_ATOMIC_FETCH_AND_ADD') {
    wr.compare_add = BigInt(plan.swapOrAdd ?? '0');
  }
  return wr;
}

/** Overwrites the buffer of a work request, and notes it. */
export async function overwrite(
  { buffers, verbs, work }: End,
  step: Extract<Step, { do: 'write_buffer' }>,
  recorder: Recorder,
): Promise<void> {
  const length = work.lengths[step.wr] ?? 0;
  const offset = work.offsets[step.wr] ?? 0;
  if (buffers === undefined || length === 0) return;
  const bytes = fillBytes(step.fill, length);
  await recorder.call(
    () => verbs.write_memory(buffers.mr, offset, bytes),
    () => ({ call: 'write_memory', mr: buffers.mr, offset, bytes }),
  );
}

function sge(end: End, n: number, badLkey: boolean): Sge[] {
  const { buffers, work } = end;
  const length = work.lengths[n] ?? 0;
  const offset = work.offsets[n] ?? 0;
  if (length === 0 || buffers === undefined) return [];
  const lkey = badLkey ? badKey(buffers.lkey, [...end.regions, buffers]) : buffers.lkey;
  return [{ addr: buffers.addr + BigInt(offset), length, lkey }];
}
