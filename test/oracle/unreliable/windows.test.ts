import { describe, expect, it } from 'vitest';
import { binding, binds, from, untouched, windowPlan, writes, written } from '../trace/windows.ts';
import type { Trace } from '../trace/trace.ts';
import { uc } from './setup.ts';

const holds = (trace: Trace, bytes: Uint8Array, offset = from): string[] =>
  trace.settle().memory(offset, bytes).broken();
const traced = (): Trace => uc(windowPlan);

describe('a WRITE to a UC QP by the key of a window', () => {
  it('finds what it is bound to, and nothing beside it', () => {
    expect(holds(writes(binds(traced()), from), written)).toEqual([]);
    expect(holds(writes(binds(traced()), from), untouched)).toEqual(['unreliable-memory-written']);
    expect(holds(writes(binds(traced()), 512), untouched, 512)).toEqual([]);
    expect(holds(writes(binds(traced()), 512), written, 512)).toContain('uc-access-denied');
  });

  it('finds nothing by a window that another QP has bound', () => {
    expect(holds(writes(binds(traced(), {}, 2), from), untouched)).toEqual([]);
    expect(holds(writes(binds(traced(), {}, 2), from), written)).toContain('uc-access-denied');
  });

  it('finds one that is about to be bound, or not', () => {
    expect(holds(writes(binding(traced()), from), untouched)).toEqual([]);
    expect(holds(writes(binding(traced()), from), written)).toEqual([]);
    expect(holds(writes(binding(traced()), 512), written, 512)).toContain('uc-access-denied');
  });
});
