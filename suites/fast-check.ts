import fc from 'fast-check';
import type { Adapter, Profile } from '../adapters/adapter.ts';
import { loadRules, type RuleSet, type Violation } from '../oracle/index.ts';
import { levels, type LadderLine, type Level } from '../report/results.ts';
import { encodeToken } from './case/index.ts';
import { givenProperties } from './given-properties.ts';
import { ladder } from './ladder.ts';
import * as is from '../oracle/options.ts';
import type { SuiteProperty } from './property.ts';
import { Executor } from './runner/executor.ts';
import { hindrance } from './runner/hindrance.ts';
import { checkAdapter, commonKinds } from './runner/options.ts';
import { properties } from './run.ts';
import type { Scenario } from './scenario.ts';

/** A property of the suites, bound to one device: hand `property` to `fc.assert` or `fc.check`. */
export interface ConformanceProperty {
  /** e.g. `rc-responder/psn-walk` */
  id: string;
  suite: string;
  says: string;
  /** rules that it means to reach, most of all */
  aims: readonly string[];
  /** why it cannot be tried on this device; its property would end in errors */
  hindrance?: string;
  /** Rejects with ConformanceError where a rule is broken, with another Error where the scenario cannot be run. */
  property: fc.IAsyncProperty<[Scenario]>;
}

/** A device that was opened for a test runner, with the properties bound to it. */
export interface ConformanceDevice {
  profile: Profile;
  properties: readonly ConformanceProperty[];
  /** Gives the device back. Call it when the last property has been checked. */
  close(): Promise<void>;
}

/** What `openConformance` takes beside the device. */
export interface ConformanceOptions {
  /** properties to bind; default: all of the package */
  properties?: readonly SuiteProperty[];
  /** rule set to judge by; default: the package's own */
  rules?: RuleSet;
  /** levels of rules whose violation fails a property; default: `must` */
  levels?: readonly Level[];
  /** ids of rules that the device is known to break: their violation fails no property */
  known?: readonly string[];
  /** one line for people, e.g. "booting the guest" */
  log?: (line: string) => void;
  signal?: AbortSignal;
  /** On a real clock: a violation that did not show again, which is none then. */
  onDoubt?: (violation: Violation, scenario: Scenario) => void;
}

const kinds: is.OptionKinds<ConformanceOptions> = {
  properties: commonKinds.properties,
  rules: commonKinds.rules,
  levels: is.someOf(levels),
  known: is.texts,
  log: is.callback,
  signal: commonKinds.signal,
  onDoubt: is.callback,
};

/** A device broke a rule. The message has all of it as text. */
export class ConformanceError extends Error {
  readonly rule: string;
  readonly level: Level;
  readonly expected: string;
  readonly observed: string;
  readonly scenario: Scenario;
  /** what passed between the peer and the device */
  readonly ladder: readonly LadderLine[];
  /** for `rdma-conform replay` */
  readonly token: string;
  constructor(found: {
    rule: { id: string; says: string; level: Level };
    violation: Violation;
    scenario: Scenario;
    ladder: readonly LadderLine[];
    token: string;
  }) {
    const { rule, violation, scenario, token } = found;
    const lines = [
      `${rule.id}: ${rule.says}`,
      `expected  ${violation.expected}`,
      `observed  ${violation.observed}`,
      ...found.ladder.map(plainLine),
      `replay    rdma-conform replay ${token}`,
    ];
    super(lines.join('\n'));
    this.name = 'ConformanceError';
    this.rule = rule.id;
    this.level = rule.level;
    this.expected = violation.expected;
    this.observed = violation.observed;
    this.scenario = scenario;
    this.ladder = found.ladder;
    this.token = token;
  }
}

const marks: Readonly<Record<LadderLine['kind'], string>> = {
  'to-dut': '->',
  'from-dut': '<-',
  verbs: '  ',
  completion: '  ',
  event: '  ',
  note: '  ',
};

function plainLine({ guilty, kind, text }: LadderLine): string {
  return `${guilty === true ? '>>' : '  '} ${marks[kind]} ${text}`;
}

/** On a real clock a violation counts if it shows in most of so many runs of its scenario. */
const runsToBelieve = 3;

/**
 * Opens a device and binds the properties to it, for any test runner. On a virtual clock each scenario has a device
 * of its own; otherwise all share one. Throws AdapterUnavailable where the device cannot be had, TypeError for an
 * unknown option, or one of another kind.
 */
export async function openConformance(
  adapter: Adapter,
  options: ConformanceOptions = {},
): Promise<ConformanceDevice> {
  checkAdapter(adapter, 'openConformance');
  is.checkOptions(options, kinds, 'openConformance');
  const { rules = loadRules(), log, signal } = options;
  const given = givenProperties(options.properties ?? properties, properties, rules);
  const executor = await Executor.open(adapter, rules, {
    ...(log !== undefined && { log }),
    ...(signal !== undefined && { signal }),
  });
  const { profile } = executor;
  const bind = (of: SuiteProperty): ConformanceProperty => {
    const { id, suite, says, aims = [] } = of;
    const why = hindrance(of, profile);
    const hold = async (scenario: Scenario): Promise<void> => {
      await check({ executor, rules, adapter: adapter.name, property: id, options }, scenario);
    };
    return {
      id,
      suite,
      says,
      aims,
      ...(why !== undefined && { hindrance: why }),
      property: fc.asyncProperty(of.arbitrary(profile), hold),
    };
  };
  return {
    profile,
    properties: given.map(bind),
    close: async () => executor.close(),
  };
}

interface Bound {
  executor: Executor;
  rules: RuleSet;
  adapter: string;
  property: string;
  options: ConformanceOptions;
}

async function check(bound: Bound, scenario: Scenario): Promise<void> {
  const { executor, options } = bound;
  const first = await violationIn(bound, scenario);
  if (first === undefined) return;
  let seen = 1;
  for (let again = 1; executor.profile.clock !== 'virtual' && again < runsToBelieve; again++) {
    if ((await violationIn(bound, scenario, first.rule.id)) !== undefined) seen++;
  }
  if (executor.profile.clock !== 'virtual' && seen * 2 < runsToBelieve) {
    options.onDoubt?.(first.violation, scenario);
    return;
  }
  throw new ConformanceError(first);
}

/** The first violation that counts, of one rule or of any. */
async function violationIn(
  { executor, rules, adapter, property, options }: Bound,
  scenario: Scenario,
  only?: string,
): Promise<ConstructorParameters<typeof ConformanceError>[0] | undefined> {
  const { levels = ['must'], known = [] } = options;
  const outcome = await executor.run(scenario);
  if (outcome.kind === 'error') throw new Error(`${property} cannot be run: ${outcome.message}`);
  for (const violation of outcome.judgement.violations) {
    const rule = rules.rule(violation.rule);
    if (rule === undefined || !levels.includes(rule.level) || known.includes(rule.id)) continue;
    if (only !== undefined && rule.id !== only) continue;
    const lines = ladder(outcome.drive.events, violation, outcome.drive);
    const token = encodeToken({ rule: rule.id, property, adapter, scenario });
    return { rule, violation, scenario, ladder: lines, token };
  }
  return undefined;
}
