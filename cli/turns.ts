import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Adapter, Verbs } from '../adapters/adapter.ts';

/** Milliseconds of work after which signals and streams get their turn. */
const longest = 50;

// Of the process, not of a device: a run may open one for every scenario.
let last = performance.now();

function takingTurns(verbs: Verbs): Verbs {
  const create: Verbs['create_qp'] = async (args) => {
    if (performance.now() - last > longest) {
      await nextTurn();
      last = performance.now();
    }
    return verbs.create_qp(args);
  };
  const bound = new Map<string | symbol, unknown>([['create_qp', create]]);
  return new Proxy(verbs, {
    get: (target, name) => {
      if (!bound.has(name)) {
        const value: unknown = Reflect.get(target, name);
        bound.set(name, typeof value === 'function' ? value.bind(target) : value);
      }
      return bound.get(name);
    },
  });
}

/**
 * The same device; but where its time is virtual, the process gets a turn of its event loop now and then. A run that waits
 * for nothing outside of itself would otherwise not hear Ctrl-C before its end. Virtual time does not notice.
 */
export function withTurns(adapter: Adapter): Adapter {
  return {
    name: adapter.name,
    describe: () => adapter.describe(),
    open: async (options) => {
      const bench = await adapter.open(options);
      if (bench.clock.kind !== 'virtual') return bench;
      return {
        profile: bench.profile,
        clock: bench.clock,
        verbs: takingTurns(bench.verbs),
        ...(bench.wire === undefined ? {} : { wire: bench.wire }),
        dut: bench.dut,
        peer: bench.peer,
        close: () => bench.close(),
      };
    },
  };
}
