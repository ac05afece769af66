import type { AccessFlag } from '../../../../spec/verbs.ts';
import { VerbsError } from '../../../adapter.ts';
import { EINVAL } from '../../verbs/errno.ts';
import { bind, invalidate } from '../../rc-requester/local.ts';
import { messagePacket } from '../../rc-requester/segment.ts';
import type { SendWqe } from '../../rc-requester/state.ts';
import { receiptOf } from '../../rc-responder/receive.ts';
import { refuse } from '../../rc-responder/refuse.ts';
import { invalidateKey, refuseInvalidation } from '../../rc-responder/send.ts';
import { isMrBound } from '../../verbs/memory-regions.ts';
import { bindByCall, givenKey, isWindowHeld } from '../../verbs/memory-windows.ts';
import { faultsAt } from '../../seam.ts';
import {
  covers,
  deallocateWindow,
  inDomain,
  mayBeBound,
  mayWrite,
  opens,
  spans,
  unbound,
  windowPlace,
} from '../memory/binding.ts';
import { within, type Region } from '../memory/memory.ts';
import { windowOfKey } from '../memory/protection.ts';
import type { MemoryWindow, Opening } from '../memory/windows.ts';
import type { Core } from '../core.ts';
import type { QueuePair } from '../qp.ts';

/** R_Key that a SEND to the QP has invalidated last */
const lastKeys = new WeakMap<QueuePair, number>();

/** what a window granted when it was used first */
const firstRights = new WeakMap<MemoryWindow, readonly AccessFlag[]>();
/** what a window opened when it was used last */
const lastOpenings = new WeakMap<MemoryWindow, Opening>();

/** regions that a window was bound to when it was bound anew */
const formerlyBound = new WeakSet<Region>();

/** What the window that a work request binds opens before. */
function boundNow({ memory }: Core, { wr }: SendWqe): Opening | undefined {
  return memory.windows.byHandle(wr.bind_mw?.mw ?? 0)?.opening;
}

export const windowFaults = [
  faultsAt(inDomain, {
    'bind-foreign-window': (sound, memory, one, owner) => 'mw' in one || sound(memory, one, owner),
    'bind-foreign-region': (sound, memory, one, owner) => 'bytes' in one || sound(memory, one, owner),
  }),
  faultsAt(windowPlace, {
    'window-rights-of-first-use': (sound, memory, window, va, length, right, qp) => {
      const { opening } = window;
      const access = firstRights.get(window) ?? opening?.access;
      if (opening === undefined || access === undefined) return sound(memory, window, va, length, right, qp);
      firstRights.set(window, access);
      return sound(memory, { ...window, opening: { ...opening, access } }, va, length, right, qp);
    },
    'window-readable-invalidated': (sound, memory, window, va, length, right, qp) => {
      const { opening } = window;
      if (opening !== undefined) lastOpenings.set(window, opening);
      const before = right === 'IBV_ACCESS_REMOTE_READ' ? lastOpenings.get(window) : undefined;
      const seen = { ...window, opening: opening ?? before };
      return sound(memory, seen, va, length, right, qp);
    },
    'window-closed': () => undefined,
    'window-open-to-other-qps': (sound, memory, window, va, length, right) =>
      sound(memory, window, va, length, right, undefined),
    'window-open-unbound': (sound, memory, window, va, length, right, qp) => {
      const around = window.opening === undefined ? memory.around(va, length) : undefined;
      return around === undefined ? sound(memory, window, va, length, right, qp) : within(around, va, length);
    },
  }),
  faultsAt(windowOfKey, { 'window-former-key-opens': (_sound, { windows }, rkey) => windows.named(rkey) }),
  faultsAt(unbound, { 'window-survives-unbinding': (_sound, _memory, { opening }) => opening }),
  faultsAt(givenKey, {
    'bind-call-former-key': (_sound, _device, { posted }) => ((posted & ~0xff) | ((posted - 1) & 0xff)) >>> 0,
  }),
  faultsAt(bindByCall, {
    'bind-call-refused': () => {
      throw new VerbsError('bind_mw', EINVAL);
    },
  }),
  faultsAt(bind, {
    'unbinding-refused': (sound, core, qp, wqe) => wqe.wr.bind_mw?.length !== 0 && sound(core, qp, wqe),
    'dereg-mr-formerly-bound-refused': (sound, core, qp, wqe) => {
      const before = boundNow(core, wqe);
      if (before !== undefined) formerlyBound.add(before.region);
      return sound(core, qp, wqe);
    },
    'window-keeps-former-end': (sound, core, qp, wqe) => {
      const before = boundNow(core, wqe);
      const done = sound(core, qp, wqe);
      const window = core.memory.windows.byHandle(wqe.wr.bind_mw?.mw ?? 0);
      const now = window?.opening;
      if (!done || window === undefined || now === undefined || before?.region !== now.region) return done;
      const length = Number(before.addr - now.addr) + before.length;
      if (length > now.length) window.opening = { ...now, length };
      return done;
    },
  }),
  faultsAt(covers, {
    'window-range-ignored': () => true,
    'window-first-byte-alone': (sound, memory, opening, va) => sound(memory, opening, va, 1),
  }),
  faultsAt(opens, {
    'window-rights-ignored': (_sound, _memory, { region }, right) => region.access.includes(right),
  }),
  faultsAt(deallocateWindow, {
    'window-survives-dealloc': (_sound, { windows }, mw) => windows.byHandle(mw) !== undefined,
  }),
  faultsAt(isWindowHeld, {
    'window-dealloc-refused': (_sound, { memory }, mw) => memory.windows.byHandle(mw)?.opening !== undefined,
  }),
  faultsAt(invalidate, {
    'window-survives-invalidation': (_sound, { memory }, _qp, { wr: { invalidate_rkey: rkey = 0 } }) =>
      memory.windows.byRkey(rkey)?.opening !== undefined,
    'invalidation-refused': () => false,
  }),
  faultsAt(invalidateKey, {
    'foreign-region-invalidated': (sound, core, qp, rkey) => {
      const region = core.memory.byRkey(rkey);
      if (region?.valid !== true) return sound(core, qp, rkey);
      region.valid = false;
      return true;
    },
    'window-survives-send': (sound, core, qp, rkey) =>
      core.memory.windows.byRkey(rkey)?.opening === undefined ? sound(core, qp, rkey) : true,
    'send-with-invalidate-refused': () => false,
    'invalidation-unchecked': (sound, core, qp, rkey) => sound(core, qp, rkey) || true,
  }),
  faultsAt(refuseInvalidation, {
    'refused-invalidation-nak': (_sound, core, qp, psn, wqe) => {
      const event = 'IBV_EVENT_QP_ACCESS_ERR';
      refuse(core, qp, { nak: 'remote-access-error', psn, wqe, status: 'IBV_WC_LOC_ACCESS_ERR', event });
    },
    'refused-invalidation-remote': (_sound, core, qp, psn, wqe) => {
      refuse(core, qp, { psn, wqe, status: 'IBV_WC_REM_INV_REQ_ERR', event: 'IBV_EVENT_QP_ACCESS_ERR' });
    },
  }),
  faultsAt(receiptOf, {
    'invalidated-key-untold': (sound, core, qp, packet, wqe, opcode, bytes) => {
      const { invalidated_rkey: _untold, ...wc } = sound(core, qp, packet, wqe, opcode, bytes);
      return wc;
    },
    'invalidated-key-stale': (sound, core, qp, packet, wqe, opcode, bytes) => {
      const wc = sound(core, qp, packet, wqe, opcode, bytes);
      if (wc.invalidated_rkey !== undefined) lastKeys.set(qp, wc.invalidated_rkey);
      const told = lastKeys.get(qp);
      return told === undefined ? wc : { ...wc, invalidated_rkey: told };
    },
  }),
  faultsAt(messagePacket, {
    'invalidate-key-zero': (sound, core, qp, wqe, psn) => {
      const fields = sound(core, qp, wqe, psn);
      return fields?.invalidateRkey === undefined ? fields : { ...fields, invalidateRkey: 0 };
    },
  }),
  faultsAt(isMrBound, {
    'dereg-mr-bound-taken': () => false,
    'dereg-mr-formerly-bound-refused': (sound, device, mr) => {
      const region = device.memory.byHandle(mr);
      return sound(device, mr) || (region !== undefined && formerlyBound.has(region));
    },
    'dereg-mr-windows-refused': (_sound, { memory }, mr) => {
      const region = memory.byHandle(mr);
      return region !== undefined && memory.windows.usesPd(region.pd);
    },
  }),
  faultsAt(mayBeBound, { 'bind-right-ignored': () => true }),
  faultsAt(mayWrite, { 'bind-write-ignored': () => true }),
  faultsAt(spans, { 'bind-bounds-ignored': () => true }),
];
