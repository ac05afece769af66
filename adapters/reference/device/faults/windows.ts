import { invalidate } from '../../rc-requester/local.ts';
import { isMrBound } from '../../verbs/memory-regions.ts';
import { isWindowHeld } from '../../verbs/memory-windows.ts';
import { faultsAt } from '../../seam.ts';
import {
  covers,
  deallocateWindow,
  mayBeBound,
  mayWrite,
  opens,
  spans,
  windowPlace,
} from '../memory/binding.ts';
import { within } from '../memory/memory.ts';

export const windowFaults = [
  faultsAt(windowPlace, {
    'window-closed': () => undefined,
    'window-open-unbound': (sound, memory, window, va, length, right, qp) => {
      const around = window.opening === undefined ? memory.around(va, length) : undefined;
      return around === undefined ? sound(memory, window, va, length, right, qp) : within(around, va, length);
    },
  }),
  faultsAt(covers, { 'window-range-ignored': () => true }),
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
  faultsAt(isMrBound, {
    'dereg-mr-bound-taken': () => false,
    'dereg-mr-windows-refused': (_sound, { memory }, mr) => {
      const region = memory.byHandle(mr);
      return region !== undefined && memory.windows.usesPd(region.pd);
    },
  }),
  faultsAt(mayBeBound, { 'bind-right-ignored': () => true }),
  faultsAt(mayWrite, { 'bind-write-ignored': () => true }),
  faultsAt(spans, { 'bind-bounds-ignored': () => true }),
];
