import { expect, it } from 'vitest';
import { seeded } from '../../adapters/seeded.ts';
import { testSeed } from '../seed.ts';
import { checked } from './checked.ts';
import { atA, atB, everywhere } from './entries.ts';
import { op, syndrome, Talk } from './talk.ts';

/** Captures; a campaign takes `RUNS=20`. */
const captures = 100 * Number(process.env['RUNS'] ?? 1);
const points = [{ complete: everywhere }, { complete: atA(14) }, { complete: atB }, {}];
/** PSNs among which connections begin. */
const spreads = [1, 3, 60, 3000, 6000];

type Draw = (count: number) => number;

/** What one connection does: requests of any kind, each answered after a while. */
function connection(draw: Draw, spread: number, number: number, port: number): Talk {
  const talk = new Talk({ qpA: 0x11 + number, qpB: 0x22 + number, port }).pause(draw(200_000));
  let psn = draw(spread);
  let msn = draw(1000);
  for (let left = 6 + draw(20); left > 0; left--) {
    talk.pause(draw(3) === 0 ? draw(60_000) : 0);
    const aeth = [syndrome.ack, ++msn] as const;
    const kind = draw(6);
    if (kind === 0) {
      talk
        .ask(op.read, psn, { reth: [2048] })
        .answer(op.readFirst, psn, { aeth, bytes: 1024 })
        .answer(op.readLast, psn + 1, { aeth, bytes: 1024 });
      psn += 2;
    } else if (kind === 1) talk.atomic(psn++, msn);
    else {
      const sends = 1 + draw(4);
      for (let i = 1; i <= sends; i++) talk.ask(op.sendOnly, psn++, { bytes: 16, ackReq: i === sends });
      msn += sends - 1;
      talk.pause(draw(30_000)).ack(psn - 1, msn);
    }
  }
  return talk;
}

it('several connections of two hosts are told apart by their answers, from wherever the capture begins', async () => {
  const alarms: string[] = [];
  const outcomes = { judged: 0, told: 0 };
  for (let i = 0; i < captures; i++) {
    const random = seeded(testSeed * 100_000 + i);
    const draw: Draw = (count) => Math.floor(random() * count);
    const spread = spreads[draw(spreads.length)] ?? 1;
    const apart = draw(2);
    const all = new Talk();
    for (let number = 2 + draw(2); number > 0; number--)
      all.beside(connection(draw, spread, number, 49_152 + apart * number));
    const taken = all.taken.toSorted((a, b) => a.t - b.t);
    const from = draw(2) * draw(taken.length / 2);
    const { exit, broken } = await checked(taken.slice(from), points[i % points.length]);
    for (const rule of broken) alarms.push(`${i}, from ${from}: ${rule}`);
    outcomes[exit === 0 ? 'judged' : 'told']++;
  }
  expect(alarms).toEqual([]);
  expect(outcomes.judged).toBeGreaterThan(0.9 * captures);
});
