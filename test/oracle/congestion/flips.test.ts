import { describe, expect, it } from 'vitest';
import { flips, type Flip } from '../../../oracle/compile/table/flips.ts';
import { withOutcomes } from '../../../oracle/compile/variant.ts';
import { judgeTrace } from '../../../oracle/index.ts';
import type { RuleSet } from '../../../oracle/rules.ts';
import { opcodeByName } from '../../../spec/constants.ts';
import type { SwitchPlan } from '../../../spec/congestion.ts';
import { bytesOwed, rateFaults, traced } from './faults.ts';
import { reactionOf } from './other-make.ts';
import { dut } from '../trace/packets.ts';
import { rules } from '../trace/trace.ts';
import { brisk, CongestionTrace } from './trace.ts';

const path: SwitchPlan = {
  rate: 10e9,
  buffer: 100_000,
  marking: { low: 5000, high: 50_000, most: 0.5, seed: 1 },
  lossless: false,
};
const nak = {
  opcode: opcodeByName('RC_ACKNOWLEDGE'),
  aeth: { syndrome: 0x60, msn: 0 },
  payload: new Uint8Array(),
};

/** Notification points and switches, sound and not. */
function others(): CongestionTrace[] {
  const told = (): CongestionTrace => new CongestionTrace().arrives(3).cnp();
  const hops = (plan: Partial<SwitchPlan>): CongestionTrace =>
    new CongestionTrace({ path: { ...path, ...plan } });
  const between = hops({});
  for (let i = 0; i < 100; i++) between.hop({ queued: 50_000, in: 2, out: 3 });
  return [
    told().at(5000).settle().at(brisk.cnp.interval).arrives(3).cnp().settle(),
    told().at(100).arrives(3).cnp(),
    told().at(5000).settle().at(brisk.cnp.interval).cnp(),
    new CongestionTrace().arrives(3).at(3000).cnp(),
    new CongestionTrace().arrives(3).at(5000).settle(),
    new CongestionTrace().arrives(2).at(5000).settle(),
    new CongestionTrace().arrives(2).at(10).cnp(),
    new CongestionTrace().arrives(2, { fecn: true }).at(10).cnp(),
    new CongestionTrace().arrives(3, { icrcXor: 1 }).at(10).cnp(),
    new CongestionTrace().frame(3).at(10).cnp(),
    new CongestionTrace()
      .cnpArrives({ trafficClass: 3 })
      .rate('cnp', { rate: 10e9, target: 10e9, alpha: 1 })
      .cnp(),
    new CongestionTrace().cnpArrives({ icrcXor: 1 }).rate('cnp', { rate: 10e9, target: 10e9, alpha: 1 }),
    new CongestionTrace().cnpArrives().sends(0, { ...nak, psn: 0 }),
    new CongestionTrace().arrives(3).cnp({ trafficClass: 3, pkey: 0x7fff, solicited: true, icrcXor: 1 }),
    new CongestionTrace().arrives(3).cnp({ becn: false, payload: new Uint8Array(12) }),
    new CongestionTrace().arrives(3).cnp({ destQp: dut.qp, dstIp: '10.0.0.9' }),
    new CongestionTrace()
      .sends(8)
      .sends(8, { trafficClass: 0 })
      .sends(0, { ...nak, trafficClass: 3 }),
    new CongestionTrace().arrives(2, { ackReq: true }).sends(0, { ...nak, trafficClass: 3 }),
    between,
    hops({})
      .hop({ queued: 0, in: 2, out: 2 })
      .hop({ queued: 60_000, in: 2, out: 3 })
      .hop({ queued: 9, in: 0, out: 0 }),
    hops({})
      .hop({ queued: 0, in: 3, out: 3 })
      .hop({ queued: 6000, in: 2, out: 2 })
      .hop({ queued: 99_500, in: 2, out: 2, fate: 'dropped' }),
    hops({ lossless: true }).hop({ queued: 98_500, in: 2, out: 3, paused: true }),
  ];
}

/** Reaction points that choose differently where rules leave a choice; increases by timer and bytes, or by the timer alone. */
function choosing(): CongestionTrace[] {
  const slow = { ...brisk.dcqcn, alphaSlot: 10_000_000, bytes: 1024, timer: 20_000 };
  const sent = Array.from({ length: 32 }, (_, n) => ({ t: 60_000 + n * 20_000, bytes: 1024 }));
  const cnps = [0, 25_000, 50_000];
  return [1, 2, 5].flatMap((threshold) =>
    [0, 1, 2, 3, 4, 5, 6].flatMap((wanted) =>
      (['one', 'two'] as const).flatMap((counts) =>
        [sent, []].map((bytes) =>
          traced(
            { ...brisk, dcqcn: { ...slow, threshold } },
            { cnps, sent: bytes, until: 600_000 },
            { counts, alternative: ({ outcomes }) => Math.min(wanted, outcomes.length - 1) },
          ),
        ),
      ),
    ),
  );
}

const line = { rate: brisk.lineRate, target: brisk.lineRate, alpha: 1 };
const first = { ...brisk, dcqcn: { ...brisk.dcqcn, firstRate: 4e9 } };

/** Limiters that are back at the line rate, and go on or start anew with the next CNP: alpha, or the rates, or both. */
function backAtLine(): CongestionTrace[] {
  const risen = (): CongestionTrace => traced(first, { cnps: [0], until: 4_000_000 });
  const alphas = risen().events.flatMap((event) => (event.kind === 'rate' ? [event.record.alpha] : []));
  return [alphas.at(-1) ?? 0, 1].flatMap((alpha) =>
    [brisk.lineRate, 4e9].map((rate) => risen().cnpArrives().rate('cnp', { rate, target: rate, alpha })),
  );
}

/** With a threshold of 1 the second increase may be of any stage; here hyper increase, of the rate alone. */
function ofAnyStage(): CongestionTrace {
  const profile = { ...brisk, dcqcn: { ...brisk.dcqcn, alphaSlot: 10_000_000, timer: 20_000, threshold: 1 } };
  const cuts = [
    { rate: 5e9, target: 10e9, alpha: 1 },
    { rate: 2.5e9, target: 5e9, alpha: 1 },
  ] as const;
  const trace = new CongestionTrace({ profile }).cnpArrives().rate('cnp', line).rate('cut', cuts[0]);
  trace.at(20_000).cnpArrives().rate('cnp', cuts[0]).rate('cut', cuts[1]);
  trace.at(40_000).rate('timer', { ...cuts[1], rate: 3.75e9 });
  return trace.at(60_000).rate('timer', { ...cuts[1], rate: 4.25e9 });
}

/** The rate alone has risen to the line rate; with the next CNP the target is as it was, or the line rate again. */
function backAloneAtLine(): CongestionTrace[] {
  const make = { cut: 'at-once', raises: 'rate', timerFrom: 'cut', releases: true } as const;
  const risen = (): CongestionTrace => reactionOf(make, [0, 30_000], 4_000_000);
  const targets = risen().events.flatMap((event) => (event.kind === 'rate' ? [event.record.target] : []));
  return [targets.at(-1) ?? 0, brisk.lineRate].map((target) =>
    risen()
      .cnpArrives()
      .rate('cnp', { ...line, target }),
  );
}

const corpus = [
  ofAnyStage(),
  ...backAloneAtLine(),
  traced(brisk, { cnps: [0, 30_000, 60_000, 61_000], until: 900_000 }),
  traced(brisk, { cnps: [0], until: 4_000_000 })
    .cnpArrives()
    .rate('cnp', line),
  traced(first, { cnps: [0, 30_000], until: 100_000 }),
  ...backAtLine(),
  traced({ ...brisk, dcqcn: { ...brisk.dcqcn, initialAlpha: 0.5 } }, { cnps: [0], until: 60_000 }),
  bytesOwed(),
  ...choosing(),
  ...rateFaults.map(([, make]) => make()),
  ...others(),
];

/** What is found wrong. */
function verdict(
  { header, events }: CongestionTrace,
  set: RuleSet,
): { text: string; exercised: Set<string> } {
  const { violations, exercised } = judgeTrace(header, events, set);
  const text = violations.map(({ rule, event, expected }) => `${rule} ${event} ${expected}`).join(', ');
  return { text, exercised: new Set([...exercised.keys(), ...violations.map(({ rule }) => rule)]) };
}

describe('one word changed in the YAML', () => {
  const before = corpus.map((trace) => ({ trace, ...verdict(trace, rules) }));
  const noticed = (flip: Flip): boolean => {
    const set = withOutcomes(rules, flip);
    return before.some(
      ({ trace, text, exercised }) => exercised.has(flip.rule) && verdict(trace, set).text !== text,
    );
  };
  const every = flips(rules).filter(
    ({ rule }) => rule.startsWith('cc-') && rules.rule(rule)?.level !== 'may',
  );
  // the same by other words: a mark is CE whether it is kept or made; only between thresholds is a share asked for; and two
  // ways of counting that are one event off never agree on hyper increase where a third has fast recovery
  const alike = /^cc-hop-ce-kept 0 mustMark|mustShare$|^cc-increase-of-any-stage [34] /;
  const places = [
    ...new Set(every.map(({ rule, alternative, key }) => `${rule} ${alternative} ${key}`)),
  ].filter((place) => !alike.test(place) || place.startsWith('cc-hop-marked-at-times'));

  it.each(places)('changes what is judged: %s', (place) => {
    const tried = every.filter(({ rule, alternative, key }) => `${rule} ${alternative} ${key}` === place);
    expect(tried.some(noticed)).toBe(true);
  });
});
