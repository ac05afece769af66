import { atomicBytes, wrOpcode } from '../../spec/constants.ts';
import type { SendWr, Sge, WindowBinding } from '../../spec/verbs.ts';
import { workRequests } from '../../spec/work-requests.ts';
import { inside, totalLength } from '../device/memory.ts';
import type { Memory } from '../device/memory.ts';
import type { Qp } from '../device/qp.ts';
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
  inputs.list = { elements: wr.sg_list.length, bytes: totalLength(wr.sg_list) };
  inputs.wr = wrInputs(wr);
  inputs.element = elementInputs(wr.sg_list, memory, qp.pd);
  inputs.binding = bindingInputs(wr, memory, qp);
  const { capability } = workRequests[wr.opcode];
  inputs.device = {
    optional: capability !== undefined && capabilities?.has(capability) === true,
    maxMessage: port?.max_msg_sz,
    declaredMessage: header.limits?.maxMessageBytes,
    mtu: port?.active_mtu,
  };
}

const sound = { forbidden: false, unwritable: false, outOfBounds: false, doubtful: false };

/** What is wrong with a window that is to be bound, or not any more. */
function bindingInputs(
  { opcode, bind_mw: asked, invalidate_rkey: ended = 0 }: SendWr,
  memory: Memory,
  { pd, handle }: Qp,
): VerbsInputs['binding'] {
  if (opcode === 'IBV_WR_LOCAL_INV') {
    const bound = memory.windows.boundBefore(ended) === 'yes';
    const key = memory.windows.byRkey(ended);
    return { ...sound, doubtful: !bound || key?.type !== 'IBV_MW_TYPE_2' || key.qp !== handle };
  }
  if (opcode !== 'IBV_WR_BIND_MW') return sound;
  const region = asked && memory.regions.get(asked.mr);
  if (asked === undefined || region === undefined || !region.alive || region.doubtful)
    return { ...sound, doubtful: true };
  const { addr, length, access } = asked;
  const ofPd = memory.windows.pdOf(asked.mw) === pd && region.pd === pd;
  const writes = access.includes('IBV_ACCESS_REMOTE_WRITE') || access.includes('IBV_ACCESS_REMOTE_ATOMIC');
  return {
    forbidden: !region.access.includes('IBV_ACCESS_MW_BIND'),
    unwritable: writes && !region.access.includes('IBV_ACCESS_LOCAL_WRITE'),
    outOfBounds: !inside(region, addr, length),
    doubtful: !ofPd || !isFree(memory, asked),
  };
}

/** Whether a work request binds a window of another PD than that of its QP, or to a region of another, and nothing else is wrong with it. */
export function bindsForeign({ objects }: VerbsContext, { qp, service }: KnownQp, wr: SendWr): boolean {
  const { memory } = objects;
  const asked = wr.opcode === 'IBV_WR_BIND_MW' ? wr.bind_mw : undefined;
  const region = asked && memory.regions.get(asked.mr);
  const windowPd = asked && memory.windows.pdOf(asked.mw);
  if (asked === undefined || region === undefined || windowPd === undefined) return false;
  if (service !== 'RC' || (windowPd === qp.pd && region.pd === qp.pd)) return false;
  const { forbidden, unwritable, outOfBounds } = bindingInputs(wr, memory, qp);
  const sounds = region.alive && !region.doubtful && isFree(memory, asked);
  return sounds && !forbidden && !unwritable && !outOfBounds;
}

/** Whether a window is bound to bytes as it is not bound yet, or, of type 1, unbound. No source speaks of one that is bound anew. */
function isFree({ windows }: Memory, { mw, type, rkey, length }: WindowBinding): boolean {
  if (windows.typeOf(mw) !== (type ?? 'IBV_MW_TYPE_2')) return false;
  if (type === 'IBV_MW_TYPE_1') return (length === 0) === windows.mayBeBound(mw, rkey);
  // of its key, the lowest 8 bits are for software to choose, and have to differ from those that it had
  const current = windows.keyOf(mw);
  const fresh = current !== undefined && current !== rkey && current >>> 8 === rkey >>> 8;
  return fresh && length > 0 && !windows.mayBeBound(mw, rkey);
}

function wrInputs(wr: SendWr): VerbsInputs['wr'] {
  const { opcode, raw_opcode: raw } = wr;
  const named = raw === undefined ? opcode : wrOpcode.name(raw);
  return {
    kind: workKind(wr),
    invalidates: workRequests[opcode].carries === 'invalidate',
    unnamed: named === undefined ? raw : undefined,
    contradicts: named !== undefined && named !== opcode,
    inline: wr.send_flags?.includes('IBV_SEND_INLINE') === true,
    addressed: wr.ah !== undefined,
    misalignment: Number((wr.remote_addr ?? 0n) % BigInt(atomicBytes)),
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
    else if (region.doubtful) found.unknownKey = found.deregistered = true;
    else if (!region.registered) found.deregistered = true;
    else {
      if (region.pd !== pd) found.foreignPd = true;
      if (!inside(region, addr, length)) found.outOfBounds = true;
      if (!region.access.includes('IBV_ACCESS_LOCAL_WRITE')) found.unwritable = true;
    }
  }
  return found;
}

/**
 * Whether what is wrong with the elements lies behind the first packet of a message, of which a requester may wait for the
 * answer before it looks at more. `mtu`: bytes.
 */
export function faultBehind(mtu: number, { objects }: VerbsContext, { qp }: KnownQp, wr: SendWr): boolean {
  const wrong = (list: readonly Sge[]): boolean =>
    Object.values(elementInputs(list, objects.memory, qp.pd)).includes(true);
  return mtu > 0 && wrong(wr.sg_list) && !wrong(firstBytes(wr.sg_list, mtu));
}

function firstBytes(list: readonly Sge[], bytes: number): Sge[] {
  let left = bytes;
  return list.map((element) => {
    const length = Math.min(left, element.length);
    left -= length;
    return { ...element, length };
  });
}

export function regionsOf(list: readonly Sge[], memory: Memory): number[] {
  return list.flatMap(({ lkey }) => memory.byLkey(lkey)?.mr ?? []);
}
