import { wrOpcode } from '../../spec/constants.ts';
import type { SendWr, Sge } from '../../spec/verbs.ts';
import { totalLength } from '../device/memory.ts';
import type { Memory } from '../device/memory.ts';
import { workKind } from '../device/queues/posted-send.ts';
import type { VerbsContext } from './context.ts';
import type { VerbsEvent } from './inputs.ts';
import type { KnownQp } from './objects.ts';
import type { VerbsInputs } from './variables.ts';

/** What the machine asks of a send work request and of the device that it is posted to. */
export function askWorkRequest(
  { objects, header }: VerbsContext,
  { qp }: KnownQp,
  wr: SendWr,
  inputs: VerbsEvent,
): void {
  const { memory, port, capabilities } = objects;
  const operation = wr.opcode === 'IBV_WR_SEND_WITH_INV' ? 'send-with-invalidate' : 'atomic';
  inputs.list = { elements: wr.sg_list.length, bytes: totalLength(wr.sg_list) };
  inputs.wr = wrInputs(wr);
  inputs.element = elementInputs(wr.sg_list, memory, qp.pd);
  inputs.device = {
    optional: capabilities?.has(operation) === true,
    maxMessage: port?.max_msg_sz,
    declaredMessage: header.limits?.maxMessageBytes,
    mtu: port?.active_mtu,
  };
}

function wrInputs(wr: SendWr): VerbsInputs['wr'] {
  const { opcode, raw_opcode: raw } = wr;
  const named = raw === undefined ? opcode : wrOpcode.name(raw);
  return {
    kind: workKind(wr),
    invalidates: opcode === 'IBV_WR_SEND_WITH_INV',
    unnamed: named === undefined ? raw : undefined,
    contradicts: named !== undefined && named !== opcode,
    inline: wr.send_flags?.includes('IBV_SEND_INLINE') === true,
    addressed: wr.ah !== undefined,
    misalignment: Number((wr.remote_addr ?? 0n) % 8n),
  };
}

/** What is wrong with one element or another. */
function elementInputs(list: readonly Sge[], memory: Memory, pd: number): VerbsInputs['element'] {
  const found = {
    unknownKey: false,
    deregistered: false,
    foreignPd: false,
    outOfBounds: false,
    unwritable: false,
  };
  for (const { addr, length, lkey } of list) {
    if (length === 0) continue;
    const region = memory.byLkey(lkey);
    if (region === undefined) found.unknownKey = true;
    else if (!region.registered) found.deregistered = true;
    else {
      const end = region.addr + BigInt(region.length);
      if (region.pd !== pd) found.foreignPd = true;
      if (addr < region.addr || addr + BigInt(length) > end) found.outOfBounds = true;
      if (!region.access.includes('IBV_ACCESS_LOCAL_WRITE')) found.unwritable = true;
    }
  }
  return found;
}

export function regionsOf(list: readonly Sge[], memory: Memory): number[] {
  return list.flatMap(({ lkey }) => memory.byLkey(lkey)?.mr ?? []);
}
