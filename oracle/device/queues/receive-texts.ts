import type { Wc } from '../../../spec/verbs.ts';
import type { Difference } from '../packet/header.ts';
import { opcodeOf } from './wc-kind.ts';

/** What a receive completion should say. */
export interface ReceiveDue {
  /** bytes */
  readonly length: number;
  readonly kind: 'receive' | 'receive-write';
  readonly immediate: number | undefined;
}

function named(what: string, value: number | undefined): string {
  return value === undefined ? `no ${what}` : `${what} 0x${value.toString(16)}`;
}

/** byte_len that should be, and is. */
export function lengthText(length: number, { byte_len: seen }: Wc): Difference {
  return { expected: `byte_len ${length}`, observed: `byte_len ${seen}` };
}

/** The opcode that should be, and is, where it is another one; otherwise likewise the immediate data. */
export function immediateText({ kind, immediate }: ReceiveDue, wc: Wc): Difference {
  const opcode = opcodeOf[kind];
  if (wc.opcode !== undefined && wc.opcode !== opcode) return { expected: opcode, observed: wc.opcode };
  return {
    expected: named('immediate data', immediate),
    observed: named('immediate data', wc.imm_data),
  };
}

/** The R_Key that should be invalidated, and the one that the completion names. */
export function invalidatedText(rkey: number | undefined, wc: Wc): Difference {
  return {
    expected: named('invalidated R_Key', rkey),
    observed: named('invalidated R_Key', wc.invalidated_rkey),
  };
}
