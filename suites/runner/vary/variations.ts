import { sharesReceives } from '../../arbitraries/shared.ts';
import type { Profile } from '../../../adapters/adapter.ts';
import { fitsAsWell } from '../fits.ts';
import { parseScenario } from '../../case/index.ts';
import { withoutDefect } from './defects.ts';
import { atPathMtu } from './path-mtu.ts';
import { candidates, equal, isLeaf, word, type Leaf } from './values.ts';
import type { Role, Scenario, Step } from '../../scenario.ts';

/** One part of a scenario, and scenarios in which it alone is another. */
export interface Variation {
  /** the part in words, e.g. "step 2 (inject SEND_ONLY): payload" */
  what: string;
  /** its value in the scenario */
  is: string;
  options: { value: string; scenario: Scenario }[];
}

type Path = readonly (string | number)[];
/** A copy of plain data with the value at a path replaced. */
function replaced(data: unknown, path: Path, value: Leaf): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(data)) {
    return data.map((item: unknown, i) => (i === key ? replaced(item, rest, value) : item));
  }
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, item]) => [name, name === key ? replaced(item, rest, value) : item]),
  );
}

/** Numbers, truths, names and lengths within plain data, with the way to each. */
function* leaves(data: unknown, path: Path = []): Generator<{ path: Path; value: Leaf }> {
  if (isLeaf(data)) yield { path, value: data };
  else if (Array.isArray(data)) {
    for (const [i, item] of data.entries()) yield* leaves(item, [...path, i]);
  } else if (typeof data === 'object' && data !== null) {
    for (const [key, item] of Object.entries(data)) yield* leaves(item, [...path, key]);
  }
}

/** What a step is called: its kind, and the packet or work request that it is about. */
export function stepName(step: Step, index: number): string {
  return `step ${index + 1} (${step.do}${aboutOf(step)})`;
}

function aboutOf(step: Step): string {
  if (step.do === 'inject') return ` ${step.packet.operation}`;
  if (step.do === 'post_send') return ` ${step.wr.opcode.replace('IBV_WR_', '')}`;
  if (step.do === 'respond') return ` ${step.packet.reply.kind}`;
  if (step.do === 'modify_qp' && step.state !== undefined) return ` ${step.state.replace('IBV_QPS_', '')}`;
  return '';
}

/** Names of fields that are said in other words; those that only say where a field stands are left out. */
const spoken: Readonly<Record<string, string>> = {
  packet: '',
  wr: '',
  reply: '',
  match: '',
  action: '',
  attr: '',
  ackReq: 'AckReq',
};

function pathWords(path: Path): string {
  return path
    .map((key) => spoken[String(key)] ?? String(key))
    .filter((name) => name !== '')
    .join(' ');
}

/** An attribute of an end as libibverbs calls it. */
function attributeName(name: string): string {
  return name === 'startPsn'
    ? 'first PSN'
    : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Attributes of the ends that a device in this role has a use for. */
const planFields: Readonly<Record<Role, Readonly<Record<Role, readonly string[]>>>> = {
  responder: {
    responder: ['startPsn', 'maxDestRdAtomic', 'minRnrTimer', 'qkey', 'maxRecvWr', 'maxSge'],
    requester: ['startPsn'],
  },
  requester: {
    requester: ['startPsn', 'maxRdAtomic', 'timeout', 'retryCnt', 'rnrRetry', 'qkey', 'maxSendWr', 'maxSge'],
    responder: [],
  },
};

function* parts(
  scenario: Scenario,
  profile: Profile,
): Generator<{ path: Path; what: string; values: readonly Leaf[] }> {
  yield { path: ['mtu'], what: 'path MTU', values: profile.pathMtus };
  yield { path: ['ip'], what: 'IP version', values: profile.ipVersions };
  if (sharesReceives(profile, scenario.service))
    yield { path: ['srq'], what: 'shared receive queue', values: [true, false] };
  for (const [i, step] of scenario.steps.entries()) {
    for (const { path, value } of leaves(step)) {
      const key = String(path.findLast((part) => typeof part === 'string'));
      const what = `${stepName(step, i)}: ${pathWords(path)}`;
      yield { path: ['steps', i, ...path], what, values: candidates(key, value, scenario.mtu) };
    }
  }
  for (const [i, fault] of scenario.faults.entries()) {
    for (const { path, value } of leaves(fault)) {
      const key = String(path.findLast((part) => typeof part === 'string'));
      yield {
        path: ['faults', i, ...path],
        what: `fault ${i + 1}: ${pathWords(path)}`,
        values: candidates(key, value, scenario.mtu),
      };
    }
  }
  // last: they tell least, and time or tries may end before
  for (const [end, names] of Object.entries(planFields[scenario.dut]) as [Role, readonly string[]][]) {
    for (const { path, value } of leaves(scenario[end])) {
      const name = String(path[0]);
      if (path.length !== 1 || !names.includes(name)) continue;
      const what = `${attributeName(name)} of the ${end}`;
      yield { path: [end, name], what, values: candidates(name, value, scenario.mtu) };
    }
  }
}

function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    data,
  );
}

/** A scenario that data are, if they are one. */
function sound(data: unknown): Scenario | undefined {
  try {
    return parseScenario(data);
  } catch {
    return undefined;
  }
}

/**
 * Every part of a scenario that can be another, with the values to try: what is left of a shrunk scenario is needed as a
 * whole, and this is how to find out which of its values are.
 */
export function* variations(scenario: Scenario, profile: Profile): Generator<Variation> {
  for (const [i, step] of scenario.steps.entries()) {
    const without = withoutDefect(step);
    if (without === undefined) continue;
    const sane = { ...scenario, steps: scenario.steps.with(i, without.step) };
    const options = fitsAsWell(sane, scenario, profile) ? [{ value: 'none', scenario: sane }] : [];
    if (options.length > 0) yield { what: `${stepName(step, i)}: defect`, is: without.is, options };
  }
  for (const { path, what, values } of parts(scenario, profile)) {
    const own = valueAt(scenario, path);
    if (!isLeaf(own)) continue;
    const key = String(path.findLast((part) => typeof part === 'string'));
    const options = [...new Set(values)]
      .filter((value) => !equal(value, own))
      .flatMap((value) => {
        const changed = sound(
          key === 'mtu' && typeof value === 'number'
            ? atPathMtu(scenario, value)
            : replaced(scenario, path, value),
        );
        return changed === undefined || !fitsAsWell(changed, scenario, profile)
          ? []
          : [{ value: word(key, value, scenario.mtu), scenario: changed }];
      });
    if (options.length > 0) yield { what, is: word(key, own, scenario.mtu), options };
  }
}

/** Tries until a part is found that can be another. */
const mostTries = 8;

/** Values that change how much, when and from where on, and not what is asked of the device. */
const amounts: ReadonlySet<string> = new Set(['payload', 'length', 'us', 'startPsn', 'mtu', 'ip', 'srq']);

/**
 * A scenario in which one amount alone is another: a length, a time, a first PSN, path MTU, IP version, kind of receive queue. `draw` gives
 * a whole number below the one it is given. Nothing where none was found.
 */
export function varied(
  scenario: Scenario,
  profile: Profile,
  draw: (below: number) => number,
): Scenario | undefined {
  const all = [...parts(scenario, profile)].filter(({ path }) => amounts.has(String(path.at(-1))));
  for (let tries = 0; tries < mostTries; tries++) {
    const part = all[draw(all.length)];
    const own = part === undefined ? undefined : valueAt(scenario, part.path);
    if (part === undefined || !isLeaf(own)) continue;
    const values = part.values.filter((value) => !equal(value, own));
    const value = values[draw(values.length)];
    const changed = value === undefined ? undefined : sound(replaced(scenario, part.path, value));
    if (changed !== undefined && fitsAsWell(changed, scenario, profile)) return changed;
  }
  return undefined;
}
