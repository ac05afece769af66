import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import type { WrOpcode } from '../../spec/verbs.ts';
import { hasAtomics } from '../arbitraries/base.ts';
import { bytesOf, size, type Size } from '../arbitraries/scalars.ts';
import type { WrPlan } from '../scenario.ts';
import { packetCount } from '../segments.ts';

export type JobKind =
  'send' | 'send-imm' | 'send-inv' | 'write' | 'write-imm' | 'read' | 'fetch-add' | 'cmp-swap';

/** One work request of the DUT, whatever the path MTU. */
export interface Job {
  kind: JobKind;
  size: Size;
  place: 'start' | 'end';
  signaled: boolean;
  solicited: boolean;
  /** data copied when posted, where the work request is short and sends any */
  inline: boolean;
  fence: boolean;
  operand: string;
}

export const everyJob: readonly JobKind[] = [
  'send',
  'write',
  'read',
  'write-imm',
  'send-imm',
  'fetch-add',
  'cmp-swap',
];
export const dataJobs: readonly JobKind[] = ['send', 'write', 'write-imm', 'send-imm'];
export const answeredJobs: readonly JobKind[] = ['read', 'fetch-add', 'cmp-swap'];

const opcodes: Record<JobKind, WrOpcode> = {
  send: 'IBV_WR_SEND',
  'send-imm': 'IBV_WR_SEND_WITH_IMM',
  'send-inv': 'IBV_WR_SEND_WITH_INV',
  write: 'IBV_WR_RDMA_WRITE',
  'write-imm': 'IBV_WR_RDMA_WRITE_WITH_IMM',
  read: 'IBV_WR_RDMA_READ',
  'fetch-add': 'IBV_WR_ATOMIC_FETCH_AND_ADD',
  'cmp-swap': 'IBV_WR_ATOMIC_CMP_AND_SWP',
};

export interface JobOptions {
  mostMtus?: number;
  /** all are signaled */
  signaled?: boolean;
}

export function job(
  profile: Profile,
  kinds: readonly JobKind[],
  options: JobOptions = {},
): fc.Arbitrary<Job> {
  const possible = hasAtomics(profile) ? kinds : kinds.filter((k) => k !== 'fetch-add' && k !== 'cmp-swap');
  return fc.record({
    kind: fc.constantFrom(...(possible.length > 0 ? possible : (['read'] as const))),
    size: size(options.mostMtus ?? 3),
    place: fc.constantFrom('start', 'end'),
    signaled:
      options.signaled === true
        ? fc.constant(true)
        : fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.boolean()),
    solicited: fc.boolean(),
    inline: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.boolean()),
    fence: fc.constant(false),
    operand: fc.constantFrom('0', '1', '18446744073709551615'),
  });
}

/** A few jobs. */
export function jobs(
  profile: Profile,
  kinds: readonly JobKind[],
  most: number,
  options: JobOptions = {},
): fc.Arbitrary<Job[]> {
  return fc.array(job(profile, kinds, options), { minLength: 1, maxLength: most, size: 'max' });
}

/** Bytes of the region that work requests aim at. */
export function targetLength(mtu: number): number {
  return 4 * mtu;
}

const mostInline = 64;

export function isAtomic({ kind }: Pick<Job, 'kind'>): boolean {
  return kind === 'fetch-add' || kind === 'cmp-swap';
}

export function wrOf(j: Job, mtu: number, region = targetLength(mtu)): WrPlan {
  const length = isAtomic(j) ? 8 : bytesOf(j.size, mtu, region);
  const end = region - length;
  const plan: WrPlan = {
    opcode: opcodes[j.kind],
    length,
    region: 0,
    offset: j.place === 'start' ? 0 : end - (isAtomic(j) ? end % 8 : 0),
    signaled: j.signaled,
  };
  if (j.solicited) plan.solicited = true;
  if (j.fence) plan.fence = true;
  if (j.inline && length <= mostInline && j.kind !== 'read' && !isAtomic(j)) plan.inline = true;
  if (isAtomic(j)) Object.assign(plan, { compare: j.operand, swapOrAdd: j.operand });
  return plan;
}

/** PSNs that a work request uses, READ responses included. */
export function psnsOf(wr: WrPlan, mtu: number): number {
  return wr.opcode.includes('ATOMIC') ? 1 : packetCount(wr.length, mtu);
}

/** Request packets that a work request is sent in. */
export function packetsOf(wr: WrPlan, mtu: number): number {
  return wr.opcode === 'IBV_WR_RDMA_READ' ? 1 : psnsOf(wr, mtu);
}
