import { describe, expect, it } from 'vitest';
import { AdapterBroken, type Adapter, type Bench } from '../../../adapters/adapter.ts';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import { checkedAdapter } from '../../../cli/adapter/checked.ts';
import { runConformance } from '../../../suites/index.ts';

type Give = (given: never) => unknown;

/** The reference NIC as a module in JavaScript gives it, one of whose verbs gives something else. `undefined`: it has no such verb. */
function moduleWith(verb: string, give: Give | undefined): Adapter {
  const reference = referenceAdapter();
  return checkedAdapter(
    {
      name: 'mine',
      describe: () => reference.describe(),
      open: async (options): Promise<Bench> => {
        const bench = await reference.open(options);
        const verbs = new Proxy(bench.verbs, {
          get: (target, name): unknown => {
            const own: unknown = Reflect.get(target, name, target);
            if (name !== verb || typeof own !== 'function') return own;
            if (give === undefined) return undefined;
            return async (...args: unknown[]): Promise<unknown> =>
              give((await Reflect.apply(own, target, args)) as never);
          },
        });
        return { ...bench, verbs };
      },
    },
    './mine.ts',
  );
}

const first =
  (change: (wc: object) => object): Give =>
  (given: object[]) =>
    given.map(change);

describe('what the verbs of a module give', () => {
  it.each<[string, string, Give | undefined, string]>([
    [
      'lacks a field',
      'create_qp',
      (given: object) => ({ ...given, qp_num: undefined }),
      'create_qp.qp_num is missing',
    ],
    [
      'has a number out of range',
      'create_qp',
      (given: object) => ({ ...given, qp_num: 2 ** 24 }),
      'create_qp.qp_num must be an integer from 2 to 16777214, not 16777216',
    ],
    [
      'has an address that is a number',
      'reg_mr',
      (given: object) => ({ ...given, addr: 65536 }),
      'reg_mr.addr must be a bigint, not 65536',
    ],
    ['has no list', 'poll_cq', () => undefined, 'poll_cq must be an array, not undefined'],
    [
      'has a bigint where a number is needed',
      'poll_cq',
      first((wc) => ({ ...wc, qp_num: 7n })),
      'poll_cq[0].qp_num must be an integer from 0 to 2^53 - 1, not "7n"',
    ],
    [
      'has a status of its own',
      'poll_cq',
      first((wc) => ({ ...wc, status: 0 })),
      'poll_cq[0].status must be a name in IBV_WC_, not 0',
    ],
    ['has too few bytes', 'read_memory', (given: Uint8Array) => given.subarray(1), 'read_memory must be'],
    ['is an errno', 'modify_qp', () => 22, 'modify_qp must be nothing, and a refusal a VerbsError, not 22'],
    ['is not to be had', 'poll_cq', undefined, 'bench.verbs.poll_cq() is missing'],
  ])('%s (%s): the adapter is broken, in words that name it', async (_, verb, give, said) => {
    const { errors, rules } = await runConformance({
      adapter: moduleWith(verb, give),
      suite: ['rc-responder'],
      runs: 60,
      seed: 1,
    });
    expect(errors.length).toBe(3);
    for (const error of errors) expect(error).toContain(`: adapter module ./mine.ts: ${said}`);
    expect(rules.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  });

  it('may have keys that nobody asks for, and keys that are undefined', async () => {
    const { errors, rules } = await runConformance({
      adapter: moduleWith('create_qp', (given: object) => ({ ...given, cap: undefined, ring: 3n })),
      suite: ['rc-responder'],
      runs: 60,
      seed: 1,
    });
    expect(errors).toEqual([]);
    expect(rules.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  });

  it('holds for events: the next call says what was wrong with one', async () => {
    let raise: ((event: never) => void) | undefined;
    const reference = referenceAdapter();
    const adapter = checkedAdapter(
      {
        name: 'mine',
        describe: () => reference.describe(),
        open: async (options) => {
          const bench = await reference.open(options);
          const onAsyncEvent: Bench['verbs']['onAsyncEvent'] = (listener) => {
            raise = (event) => listener(event, 0);
          };
          const verbs = new Proxy(bench.verbs, {
            get: (target, name): unknown =>
              name === 'onAsyncEvent' ? onAsyncEvent : Reflect.get(target, name),
          });
          return { ...bench, verbs };
        },
      },
      './mine.ts',
    );
    const bench = await adapter.open({});
    const heard: unknown[] = [];
    bench.verbs.onAsyncEvent((event) => heard.push(event));
    raise?.({ event_type: 'IBV_EVENT_SQ_DRAINED', qp_num: 17 } as never);
    expect(heard).toHaveLength(1);
    raise?.({ event: 'QP_FATAL' } as never);
    expect(heard).toHaveLength(1);
    const failed = await bench.verbs.alloc_pd().catch((thrown: unknown) => thrown);
    expect(failed).toBeInstanceOf(AdapterBroken);
    expect(String(failed)).toContain('onAsyncEvent: event.event_type is missing');
    await bench.close();
  });
});

describe('a module that cannot open its device', () => {
  it('ends the run at its third try, with what was thrown and where', async () => {
    const reference = referenceAdapter();
    const adapter = checkedAdapter(
      {
        name: 'mine',
        describe: () => reference.describe(),
        open: async () => {
          throw new Error('no card in slot 3');
        },
      },
      './mine.ts',
    );
    const { errors } = await runConformance({ adapter, suite: ['rc-responder'], runs: 60, seed: 1 });
    expect(errors.length).toBe(3);
    for (const error of errors)
      expect(error).toMatch(
        /adapter module \.\/mine\.ts: open\(\): Error: no card in slot 3 at .*checked-verbs\.test\.ts/,
      );
  });
});
