import type { WcOpcode } from '../../../spec/verbs.ts';

/** What the opcode of a completion says, as the rules name it. */
export type WcKind = 'send' | 'write' | 'receive' | 'receive-write' | 'other';

/** Opcodes of completions that the rules know. */
export const opcodeOf = {
  send: 'IBV_WC_SEND',
  write: 'IBV_WC_RDMA_WRITE',
  receive: 'IBV_WC_RECV',
  'receive-write': 'IBV_WC_RECV_RDMA_WITH_IMM',
} as const satisfies Partial<Record<WcKind, WcOpcode>>;

/** What an opcode says; `undefined`: the adapter does not tell one. */
export function kindOf(opcode: WcOpcode | undefined): WcKind | undefined {
  if (opcode === undefined) return undefined;
  const known = ['send', 'write', 'receive', 'receive-write'] as const;
  return known.find((kind) => opcodeOf[kind] === opcode) ?? 'other';
}
