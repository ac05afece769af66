import { describe, expect, it } from 'vitest';
import { deadlyLast, several } from '../../../suites/runner/several.ts';

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};

describe('several tasks at a time', () => {
  it('gives results in the order of the tasks', async () => {
    const given = await several([5, 1, 3, 0], 4, async (count) => {
      await turns(count);
      return count * 10;
    });
    expect(given).toEqual([50, 10, 30, 0]);
  });

  it('runs no more at a time than it may, and as many', async () => {
    let running = 0;
    let most = 0;
    await several([1, 2, 3, 4, 5, 6, 7], 3, async (count) => {
      most = Math.max(most, ++running);
      await turns(count);
      running--;
    });
    expect(most).toBe(3);
  });

  it('goes on with the next one while the first takes long', async () => {
    const ended: number[] = [];
    await several([20, 1, 1, 1, 1], 2, async (count) => {
      await turns(count);
      ended.push(count);
    });
    expect(ended).toEqual([1, 1, 1, 1, 20]);
  });

  it('ends with the error of a task', async () => {
    await expect(several([1], 1, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    expect(await several([], 3, () => Promise.resolve(1))).toEqual([]);
  });
});

it('what a device dies of is tried last, one at a time', async () => {
  let running = 0;
  const seen: [number, boolean, number][] = [];
  await deadlyLast(
    [1, 20, 2, 30, 3],
    (count) => count >= 20,
    3,
    async (count, isAlone) => {
      running++;
      await turns(count);
      seen.push([count, isAlone, running--]);
    },
  );
  expect(seen).toEqual([
    [1, false, 3],
    [2, false, 2],
    [3, false, 1],
    [20, true, 1],
    [30, true, 1],
  ]);
});
