import { convergence, tenGigabit } from './convergence.ts';
import { fairness, run } from './figure.ts';

/**
 * One host beside the receiver, three behind another switch that begin later and whose first CNP leaves them different rates:
 * fairness and sum of the shares, with flow control alone and with congestion control. The same in each run.
 */
const measured = 40;
const spans = 10;

const near = [{ joins: 0, firstRate: 0.4 }];
const far = [
  { joins: 2, firstRate: 0.02 },
  { joins: 2, firstRate: 0.1 },
  { joins: 4, firstRate: 0.9 },
];

const outcomes = [];
for (const control of [false, true])
  outcomes.push(await run(convergence(near, far, { control, parameters: tenGigabit, measured, spans })));

const sum = (shares: readonly number[]): string =>
  `${(shares.reduce((a, b) => a + b, 0) * 100).toFixed(1)} %`;
console.log('| ms       | fairness, flow control alone | sum     | fairness, with control | sum     |');
console.log('| -------- | ---------------------------: | ------: | ---------------------: | ------: |');
for (let span = 0; span < spans; span++) {
  const at = `${(span * measured) / spans} to ${((span + 1) * measured) / spans}`;
  const [alone = [], controlled = []] = outcomes.map((outcome) => outcome.spans[span] ?? []);
  const cells = [
    at.padEnd(8),
    fairness(alone).toFixed(3).padStart(28),
    sum(alone).padStart(7),
    fairness(controlled).toFixed(3).padStart(22),
    sum(controlled).padStart(7),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
