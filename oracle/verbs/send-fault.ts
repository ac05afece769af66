import { atomicBytes, wrOpcode } from '../../spec/constants.ts';
import type { MwType, SendWr, Sge, WindowBinding } from '../../spec/verbs.ts';
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
  const { binding, window, target } = bindingInputs(wr, memory, qp);
  inputs.binding = binding;
  inputs.window = window;
  inputs.target = target;
  const { capability } = workRequests[wr.opcode];
  inputs.device = {
    optional: capability !== undefined && capabilities?.has(capability) === true,
    maxMessage: port?.max_msg_sz,
    declaredMessage: header.limits?.maxMessageBytes,
    mtu: port?.active_mtu,
  };
}

type WindowType = VerbsInputs['window']['type'];

const windowTypes: Readonly<Record<MwType, WindowType>> = {
  IBV_MW_TYPE_1: 'type-1',
  IBV_MW_TYPE_2: 'type-2',
};

type BindingInputs = Pick<VerbsInputs, 'binding' | 'window' | 'target'>;

const noWindow: BindingInputs = {
  binding: { asks: 'nothing', type: 'none', rkey: 0, bytes: 0, exceeds: false, writes: false },
  window: { type: 'none', rkey: 0, ofDomain: false, bound: 'no', ofQp: false },
  target: { usable: false, ofDomain: false, bindable: false, writable: false },
};

/** What a work request asks of a memory window, and of the region that it is to be bound to. */
function bindingInputs(
  { opcode, bind_mw: asked, invalidate_rkey: ended = 0 }: SendWr,
  memory: Memory,
  qp: Qp,
): BindingInputs {
  if (opcode === 'IBV_WR_LOCAL_INV') return endInputs(ended, memory, qp);
  if (opcode !== 'IBV_WR_BIND_MW') return noWindow;
  return asked === undefined
    ? { ...noWindow, binding: { ...noWindow.binding, asks: 'bind' } }
    : bindInputs(asked, memory, qp);
}

function endInputs(rkey: number, { windows }: Memory, { handle }: Qp): BindingInputs {
  const key = windows.byRkey(rkey);
  return {
    ...noWindow,
    binding: { ...noWindow.binding, asks: 'end' },
    window: {
      ...noWindow.window,
      type: key === undefined ? 'none' : windowTypes[key.type],
      bound: windows.boundBefore(rkey) ?? 'no',
      ofQp: key?.qp === handle,
    },
  };
}

function bindInputs(asked: WindowBinding, { windows, regions }: Memory, { pd }: Qp): BindingInputs {
  const { mw, mr, rkey, addr, length: bytes, access, type = 'IBV_MW_TYPE_2' } = asked;
  const region = regions.get(mr);
  const windowType = windows.typeOf(mw);
  return {
    binding: {
      asks: 'bind',
      type: windowTypes[type],
      rkey,
      bytes,
      exceeds: region !== undefined && !inside(region, addr, bytes),
      writes: access.includes('IBV_ACCESS_REMOTE_WRITE') || access.includes('IBV_ACCESS_REMOTE_ATOMIC'),
    },
    window: {
      type: windowType === undefined ? 'none' : windowTypes[windowType],
      rkey: windows.keyOf(mw) ?? 0,
      ofDomain: windows.pdOf(mw) === pd,
      bound: windows.mayBeBound(mw, rkey) ? 'maybe' : 'no',
      ofQp: false,
    },
    target: {
      usable: region?.alive === true && !region.doubtful,
      ofDomain: region?.pd === pd,
      bindable: region?.access.includes('IBV_ACCESS_MW_BIND') === true,
      writable: region?.access.includes('IBV_ACCESS_LOCAL_WRITE') === true,
    },
  };
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
