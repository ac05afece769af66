import type { RegisteredMr } from '../../adapters/adapter.ts';
import type { RecvWr, SendWr, Sge } from '../../spec/verbs.ts';
import type { Scenario, Step, WrPlan } from '../scenario.ts';
import { badKey } from './craft.ts';
import type { End } from './end.ts';

/** The n-th receive WR of a scenario; each has its own part of the receive buffers. */
export function recvWr(
  end: End,
  scenario: Scenario,
  n: number,
  step: Extract<Step, { do: 'post_recv' }>,
): RecvWr {
  const lengths = scenario.steps.flatMap((s) => (s.do === 'post_recv' ? [s.length] : []));
  return { wr_id: n + 1, sg_list: sge(end, lengths, n, step.badLkey === true) };
}

/** The n-th send WR of a scenario. */
export function sendWr(
  end: End,
  scenario: Scenario,
  n: number,
  plan: WrPlan,
  regions: readonly RegisteredMr[],
): SendWr {
  const lengths = scenario.steps.flatMap((s) => (s.do === 'post_send' ? [s.wr.length] : []));
  const wr: SendWr = {
    wr_id: 1000 + n,
    opcode: plan.opcode,
    sg_list: sge(end, lengths, n, false),
    send_flags: [],
  };
  if (plan.signaled) wr.send_flags?.push('IBV_SEND_SIGNALED');
  if (plan.solicited === true) wr.send_flags?.push('IBV_SEND_SOLICITED');
  if (plan.opcode.endsWith('_WITH_IMM')) wr.imm_data = 0x1000 + n;
  const target = regions[plan.region];
  if (target !== undefined && !plan.opcode.startsWith('IBV_WR_SEND')) {
    wr.remote_addr = target.addr + BigInt(plan.offset);
    wr.rkey = target.rkey;
  }
  if (plan.opcode === 'IBV_WR_ATOMIC_CMP_AND_SWP') {
    wr.compare_add = BigInt(plan.compare ?? '0');
    wr.swap = BigInt(plan.swapOrAdd ?? '0');
  } else if (plan.opcode === 'IBV_WR_ATOMIC_FETCH_AND_ADD') {
    wr.compare_add = BigInt(plan.swapOrAdd ?? '0');
  }
  return wr;
}

function sge(end: End, lengths: readonly number[], n: number, badLkey: boolean): Sge[] {
  const length = lengths[n] ?? 0;
  const { buffers } = end;
  if (length === 0 || buffers === undefined) return [];
  let offset = 0;
  for (let i = 0; i < n; i++) offset += lengths[i] ?? 0;
  const lkey = badLkey ? badKey(buffers.lkey, [...end.regions, buffers]) : buffers.lkey;
  return [{ addr: buffers.addr + BigInt(offset), length, lkey }];
}
