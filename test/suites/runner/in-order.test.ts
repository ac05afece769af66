import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inOrder } from '../../../suites/runner/schedule.ts';

/** Tasks that end when they are told to, and what came of them. */
function bench(count: number, parallel: number, ahead?: number) {
  const ends = new Map<number, (error?: Error) => void>();
  const begun: number[] = [];
  const taken: number[] = [];
  let most = 0;
  const over = inOrder(
    Array.from({ length: count }, (_, i) => i).values(),
    parallel,
    (task) => {
      begun.push(task);
      return new Promise<number>((resolve, reject) => {
        ends.set(task, (error) => {
          ends.delete(task);
          if (error === undefined) resolve(task);
          else reject(error);
        });
        most = Math.max(most, ends.size);
      });
    },
    (task, result) => {
      expect(result).toBe(task);
      taken.push(task);
      return true;
    },
    ahead,
  );
  const end = async (task: number, error?: Error): Promise<void> => {
    ends.get(task)?.(error);
    await nextTurn();
  };
  return { over, begun, taken, end, most: () => most };
}

describe('tasks several at a time', () => {
  it('are handed over in their order', async () => {
    const { over, taken, end } = bench(3, 3);
    for (const task of [2, 0, 1]) await end(task);
    await over;
    expect(taken).toEqual([0, 1, 2]);
  });

  it('that take long hold up as few others as may be begun ahead', async () => {
    const { over, begun, taken, end, most } = bench(8, 2, 6);
    for (const task of [1, 2, 3, 4]) await end(task);
    expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
    await end(5);
    expect([begun.length, taken]).toEqual([6, []]);
    await end(0);
    expect(taken).toEqual([0, 1, 2, 3, 4, 5]);
    for (const task of [6, 7]) await end(task);
    await over;
    expect([taken.length, most()]).toEqual([8, 2]);
  });

  it('are as many ahead as run at a time where nothing is said', async () => {
    const { over, begun, end } = bench(4, 2);
    await end(1);
    expect(begun).toEqual([0, 1]);
    for (const task of [0, 2, 3]) await end(task);
    await over;
  });

  it('fail in their turn', async () => {
    const { over, taken, end } = bench(3, 3);
    const turns = async (): Promise<void> => {
      await end(1, new Error('broken'));
      expect(taken).toEqual([]);
      await end(0);
    };
    await Promise.all([expect(over).rejects.toThrow('broken'), turns()]);
    expect(taken).toEqual([0]);
  });
});
