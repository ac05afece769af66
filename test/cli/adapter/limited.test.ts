import { afterEach, describe, expect, it, vi } from 'vitest';
import { AdapterBroken, type Adapter, type Bench } from '../../../adapters/adapter.ts';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import { checkedAdapter } from '../../../cli/adapter/checked.ts';

const never = (): Promise<never> => new Promise(() => undefined);

/** The reference NIC as a module gives it, with a part of its bench changed. */
async function opened(change: (bench: Bench) => Bench): Promise<Bench> {
  const reference = referenceAdapter();
  const adapter: Adapter = {
    name: 'mine',
    describe: async () => reference.describe(),
    open: async (options) => change(await reference.open(options)),
  };
  return checkedAdapter(adapter, './mine.ts').open({});
}

/** What a call has come to behind so many seconds. */
async function after(seconds: number, call: Promise<unknown>): Promise<string> {
  const state = { text: 'under way' };
  void call.then(
    () => (state.text = 'done'),
    (thrown: unknown) => (state.text = thrown instanceof AdapterBroken ? thrown.message : 'another error'),
  );
  await vi.advanceTimersByTimeAsync(seconds * 1000);
  return state.text;
}

describe('a module whose calls do not come back', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([
    {
      what: 'a verb',
      change: (bench: Bench): Bench => ({ ...bench, verbs: { ...bench.verbs, alloc_pd: never } }),
      call: ({ verbs }: Bench) => verbs.alloc_pd(),
      seconds: 60,
      told: 'bench.verbs.alloc_pd() did not come back within 60 s',
    },
    {
      what: 'the end',
      change: (bench: Bench): Bench => ({ ...bench, close: never }),
      call: (bench: Bench) => bench.close(),
      seconds: 60,
      told: 'bench.close() did not come back within 60 s',
    },
    {
      what: 'a real clock, which may sleep as long as it is told to',
      change: (bench: Bench): Bench => ({ ...bench, clock: { ...bench.clock, kind: 'real', sleep: never } }),
      call: ({ clock }: Bench) => clock.sleep(5e9),
      seconds: 605,
      told: 'bench.clock.sleep() did not come back within 605 s',
    },
  ])('$what: the call ends as a broken adapter', async ({ change, call, seconds, told }) => {
    const bench = await opened(change);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const result = call(bench);
    expect(await after(seconds - 1, result)).toBe('under way');
    expect(await after(2, result)).toBe(told);
  });

  it('a device that does not open is broken as well', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const reference = referenceAdapter();
    const adapter = checkedAdapter({ ...reference, open: never }, './mine.ts');
    expect(await after(121, adapter.open({}))).toBe('open() did not come back within 120 s');
  });
});

it('calls of a module that come back give what they gave, errors included', async () => {
  const bench = await opened((one) => one);
  const pd = await bench.verbs.alloc_pd();
  await expect(bench.verbs.dealloc_pd(pd)).resolves.toBeUndefined();
  await expect(bench.verbs.dealloc_pd(pd)).rejects.toMatchObject({ call: 'dealloc_pd', errno: 22 });
  expect(bench.clock.now()).toBe(0);
  await bench.clock.sleep(1000);
  expect(bench.clock.now()).toBe(1000);
  expect(bench.profile.clock).toBe('virtual');
  expect('onRate' in bench).toBe(true);
  await bench.close();
});
