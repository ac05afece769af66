import { byteText } from '../../device/byte-text.ts';
import { firstDifference, readMemory } from '../../device/memory.ts';
import type { Difference } from '../../device/packet/header.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import type { Rule } from '../../rules.ts';
import type { PendingReply } from '../pending.ts';
import type { ResponderState } from '../state.ts';

/** What the demand `mustData` finds wrong with a response. Built in, since it compares bytes. */
export function wrongData(
  state: ResponderState,
  seen: ObservedReply,
  item: PendingReply | undefined,
): (Difference & { rule?: Rule }) | undefined {
  if (item?.kind === 'atomic') {
    const want = item.atomic?.value;
    const got = seen.packet.atomicOriginal;
    if (want === undefined || got === want) return undefined;
    const expected = `original value 0x${want.toString(16)}`;
    const observed = `0x${(got ?? 0n).toString(16)}`;
    // of a repeated ATOMIC its own rule says which value that is
    return item.repeat ? { expected, observed, rule: item.rule } : { expected, observed };
  }
  const read = item?.read;
  if (!read?.region || seen.packet.payloadLength === 0) return undefined;
  const offset = read.offset + read.index * Math.max(0, state.pmtu);
  const { payload } = seen.packet;
  const then = readMemory(read.memory, read.region, offset, payload.length);
  if (firstDifference(then, payload) < 0) return undefined;
  const now = readMemory(state.memory, read.region, offset, payload.length);
  for (let i = 0; i < payload.length; i++) {
    const open = then.classAt(i) === 'undefined' || now.classAt(i) === 'undefined';
    if (open || payload[i] === then.bytes[i] || payload[i] === now.bytes[i]) continue;
    return {
      expected: `byte ${offset + i} of the region = ${byteText(then.bytes[i])}`,
      observed: byteText(payload[i]),
    };
  }
  return undefined;
}
