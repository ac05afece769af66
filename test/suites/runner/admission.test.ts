import { describe, expect, it } from 'vitest';
import { Admission } from '../../../suites/runner/devices/admission.ts';

/** Notes who is let in, and whether alone. */
function watched(): {
  let: (name: string, turn: Promise<boolean>) => void;
  heard: () => Promise<string[]>;
} {
  const log: string[] = [];
  return {
    let: (name, turn) => void turn.then((alone) => log.push(alone ? `${name} alone` : name)),
    heard: async () => {
      await new Promise((done) => setImmediate(done));
      return log.splice(0);
    },
  };
}

describe('who may use a device', () => {
  it('are so many at a time, in the order in which they came', async () => {
    const admission = new Admission(2);
    const { let: enter, heard } = watched();
    for (const name of ['a', 'b', 'c', 'd']) enter(name, admission.enter(false));
    expect(await heard()).toEqual(['a', 'b']);
    admission.leave();
    expect(await heard()).toEqual(['c']);
    admission.leave();
    expect(await heard()).toEqual(['d']);
  });

  it('is one alone, behind those that came before it, and before those that came behind it', async () => {
    const admission = new Admission(3);
    const { let: enter, heard } = watched();
    enter('a', admission.enter(false));
    enter('b', admission.enter(true));
    enter('c', admission.enter(false));
    enter('d', admission.enter(false));
    expect(await heard()).toEqual(['a']);
    admission.leave();
    expect(await heard()).toEqual(['b alone']);
    admission.leave();
    expect(await heard()).toEqual(['c', 'd']);
  });
});

describe('after a death', () => {
  const died = async (): Promise<ReturnType<typeof watched> & { admission: Admission }> => {
    const admission = new Admission(3);
    const seen = watched();
    for (const name of ['a', 'b', 'c', 'd']) seen.let(name, admission.enter(false));
    await seen.heard();
    seen.let('a', admission.enterAgain(false, 5));
    admission.leave();
    seen.let('b', admission.enterAgain(true, 7));
    admission.leave();
    expect(await seen.heard()).toEqual([]);
    seen.let('c', admission.enterAgain(false, 9));
    admission.leave();
    return { ...seen, admission };
  };

  it('those that were under way go one at a time, the one that did something last first, and then the others', async () => {
    const { admission, heard, let: enter } = await died();
    expect(await heard()).toEqual(['c alone']);
    enter('e', admission.enter(false));
    admission.leave();
    expect(await heard()).toEqual(['b alone']);
    admission.leave();
    expect(await heard()).toEqual(['a alone']);
    admission.leave();
    expect(await heard()).toEqual(['d', 'e']);
  });

  it('they go on as before once the cause is known', async () => {
    const { admission, heard } = await died();
    expect(await heard()).toEqual(['c alone']);
    admission.clear();
    admission.leave();
    expect(await heard()).toEqual(['b alone']);
    admission.leave();
    expect(await heard()).toEqual(['a', 'd']);
  });
});
