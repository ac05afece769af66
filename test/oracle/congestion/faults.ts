import type { CongestionProfile } from '../../../spec/congestion.ts';
import { runDcqcn, type DcqcnChoices, type DcqcnInput } from './dcqcn-run.ts';
import { rules } from '../trace/trace.ts';
import { brisk, CongestionTrace, responseTime } from './trace.ts';

const parameters = brisk.dcqcn;
export const line = { rate: brisk.lineRate, target: brisk.lineRate, alpha: 1 };
export const half = { ...line, rate: line.rate / 2 };
export const named = (t = 0): CongestionTrace => new CongestionTrace().at(t).cnpArrives().rate('cnp', line);
export const cut = (): CongestionTrace => named().rate('cut', half);
/** A QP of an unreliable service at half of its rate, with nothing to send. */
export const cutOf = (service: 'UC' | 'UD'): CongestionTrace =>
  new CongestionTrace({ service }).cnpArrives().rate('cnp', line).rate('cut', half);
/** Nanoseconds after which a packet is late at half of the rate: two packets and their headers, 1 % more, and the response time. */
export const lateBy = (mtu: number): number => ((2 * (mtu + 128) * 8) / 5) * 1.01 + responseTime;
/** A QP of an unreliable service that no CNP has named, beside one at half of its rate. */
export const besideCut = (service: 'UC' | 'UD'): CongestionTrace =>
  new CongestionTrace({ service })
    .qp({ qp: 2, number: 0x12, peer: 0x23 })
    .cnpArrives({ destQp: 0x12 })
    .rate('cnp', line, 0x12)
    .rate('cut', half, 0x12);
/** Nanoseconds after which its packet is late: two packets and their headers at the line rate, 1 % more, and the response time. */
export const hurtBy = (mtu: number): number => ((2 * (mtu + 128) * 8) / 10) * 1.01 + responseTime;
const third = { rate: 7.5e9, target: 10e9, alpha: 0.9375 };
export const slots = (trace: CongestionTrace, until: number): CongestionTrace => {
  for (let t = parameters.alphaSlot, alpha = 1; t <= until; t += parameters.alphaSlot)
    trace.at(t).rate('alpha-slot', { ...half, alpha: (alpha *= 1 - parameters.g) });
  return trace;
};

/** What a reaction point does wrong, and the rule that says so. */
export const rateFaults: readonly [rule: string, make: () => CongestionTrace][] = [
  ['cc-rate-cnp-unprompted', () => new CongestionTrace().rate('cnp', line)],
  ['cc-rate-cnp-unprompted', () => new CongestionTrace().arrives(1).rate('cnp', line)],
  ['cc-rate-first-cnp', () => new CongestionTrace().cnpArrives().rate('cnp', { ...line, alpha: 0.5 })],
  ['cc-rate-first-cnp', () => new CongestionTrace().cnpArrives().rate('cnp', half)],
  [
    'cc-rate-more-cnps',
    () =>
      named()
        .at(9)
        .cnpArrives()
        .rate('cnp', { ...line, alpha: 0.9 }),
  ],
  ['cc-rate-cnp-cuts-nothing', () => named().at(9).cnpArrives().rate('cnp', half)],
  ['cc-cnp-noticed', () => new CongestionTrace().cnpArrives().at(5000).settle()],
  ['cc-cnp-noticed', () => new CongestionTrace().cnpArrives({ trafficClass: 0 }).at(5000).settle()],
  ['cc-cut-unprompted', () => new CongestionTrace().rate('cut', half)],
  [
    'cc-cut-unprompted',
    () =>
      slots(cut(), 25_000)
        .at(30_000)
        .rate('cut', { ...half, rate: 2.5e9 }),
  ],
  [
    'cc-cut-early',
    () =>
      cut()
        .at(9)
        .cnpArrives()
        .rate('cnp', half)
        .rate('cut', { ...line, rate: 2.5e9, target: 5e9 }),
  ],
  ['cc-cut-formula', () => named().rate('cut', { ...half, rate: 6e9 })],
  ['cc-cut-target', () => named().rate('cut', { ...half, target: 5e9 })],
  ['cc-cut-alpha', () => named().rate('cut', { ...half, alpha: 0.9375 })],
  ['cc-alpha-early', () => cut().at(14_000).rate('alpha-slot', half).at(38_999).rate('alpha-slot', half)],
  [
    'cc-alpha-first-slot',
    () =>
      cut()
        .at(25_000)
        .rate('alpha-slot', { ...half, alpha: 0.5 }),
  ],
  [
    'cc-alpha-rises',
    () =>
      cut()
        .at(9)
        .cnpArrives()
        .rate('cnp', half)
        .at(25_000)
        .rate('alpha-slot', { ...half, alpha: 0.9375 }),
  ],
  [
    'cc-alpha-decays',
    () => slots(cut(), 25_000).at(40_000).rate('timer', third).at(50_000).rate('alpha-slot', third),
  ],
  ['cc-alpha-alone', () => cut().at(25_000).rate('alpha-slot', line)],
  [
    'cc-timer-early',
    () =>
      slots(cut(), 25_000)
        .at(39_999)
        .rate('timer', { ...half, rate: 7.5e9, alpha: 0.9375 }),
  ],
  [
    'cc-bytes-early',
    () =>
      cut()
        .at(9000)
        .rate('bytes', { ...half, rate: 7.5e9 }),
  ],
  [
    'cc-fast-recovery',
    () =>
      slots(cut(), 25_000)
        .at(40_000)
        .rate('timer', { ...half, rate: 6e9, alpha: 0.9375 }),
  ],
  ['cc-alpha-range', () => named().rate('cut', { ...half, alpha: 1.5 })],
  ['cc-rate-range', () => named().rate('cut', { ...half, rate: 0 })],
  ['cc-target-range', () => named().rate('cut', { ...half, target: 20e9 })],
  [
    'cc-cut-owed',
    () =>
      named()
        .at(parameters.decreaseSlot + responseTime + 1)
        .settle(),
  ],
  [
    'cc-alpha-slot-owed',
    () =>
      cut()
        .at(parameters.alphaSlot + responseTime + 1)
        .settle(),
  ],
  [
    'cc-timer-owed',
    () =>
      slots(cut(), 26_000)
        .at(parameters.timer + responseTime + 1)
        .settle(),
  ],
  [
    'cc-neighbour-unhurt',
    () =>
      besideCut('UC')
        .posts(3000)
        .at(hurtBy(1024) + 1)
        .settle(),
  ],
  [
    'cc-pace-reached',
    () =>
      cutOf('UC')
        .posts(3000)
        .sends(1024)
        .at(lateBy(1024) + 1)
        .sends(1024)
        .settle(),
  ],
  ['cc-pace-kept', () => cut().sends(1024).sends(1024).sends(1024)],
  ['cc-pace-kept-by-reads', () => cut().answers(1024).answers(1024).answers(1024)],
];

/** A trace of a device that does what the tables say, with the choices that they leave. */
export function traced(
  profile: CongestionProfile,
  input: DcqcnInput,
  choices: DcqcnChoices = {},
): CongestionTrace {
  const trace = new CongestionTrace({ profile });
  const sent = [...(input.sent ?? [])];
  for (const step of runDcqcn(rules, profile, input, choices)) {
    for (let next = sent[0]; next !== undefined && next.t <= step.t; next = sent[0]) {
      trace.at(next.t).sends(next.bytes);
      sent.shift();
    }
    trace.at(step.t);
    if (step.cause === 'cnp') trace.cnpArrives();
    trace.rate(step.cause, step);
  }
  return trace.at(input.until).settle();
}

/** Bytes that are sent, and an increase that is owed for them. */
export function bytesOwed(): CongestionTrace {
  const trace = cut();
  // 16 KiB at 5 Gb/s take 26.2 us
  for (let n = 1; n <= 16; n++) trace.at(n * 1640).sends(1024);
  slots(trace, 25_000);
  trace.events.sort((a, b) => a.t - b.t);
  return trace.at(16 * 1640 + responseTime + 1).settle();
}
