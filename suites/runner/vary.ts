import { sharesReceives } from '../arbitraries/shared.ts';
import type { Profile } from '../../adapters/adapter.ts';
import { fitsAsWell } from './fits.ts';
import { parseScenario } from '../case/index.ts';
import type { Role, Scenario, Step } from '../scenario.ts';

/** One part of a scenario, and scenarios in which it alone is another. */
export interface Variation {
  /** the part in words, e.g. "step 2 (inject SEND_ONLY): payload bytes" */
  what: string;
  /** its value in the scenario */
  is: string;
  options: { value: string; scenario: Scenario }[];
}

type Path = readonly (string | number)[];
type Leaf = string | number | boolean;

const word = (value: Leaf): string => (typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value));

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

/** Numbers, truths and names within plain data, with the way to each. */
function* leaves(data: unknown, path: Path = []): Generator<{ path: Path; value: Leaf }> {
  if (Array.isArray(data)) {
    for (const [i, item] of data.entries()) yield* leaves(item, [...path, i]);
  } else if (typeof data === 'object' && data !== null) {
    for (const [key, item] of Object.entries(data)) yield* leaves(item, [...path, key]);
  } else if (typeof data === 'number' || typeof data === 'boolean' || typeof data === 'string') {
    yield { path, value: data };
  }
}

const psns = [0, 1, 0x7fffff, 0x800000, 0xffffff];
const sizes = [0, 1, 4, 64, 256, 257, 1024];

/** Values worth trying in place of one, by the name of its field; none where a change would make another scenario. */
function candidates(key: string, value: Leaf): readonly Leaf[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'string') {
    if (key === 'operation') {
      return ['SEND_ONLY', 'SEND_FIRST', 'SEND_LAST', 'RDMA_WRITE_ONLY', 'RDMA_READ_REQUEST', 'FETCH_ADD'];
    }
    if (key !== 'opcode') return [];
    return ['IBV_WR_SEND', 'IBV_WR_RDMA_WRITE', 'IBV_WR_RDMA_READ', 'IBV_WR_ATOMIC_FETCH_AND_ADD'];
  }
  switch (key) {
    case 'startPsn':
      return psns;
    case 'bytes':
    case 'length':
      return sizes;
    case 'offset':
    case 'msnOffset':
      return [value - 1, value + 1, value + 2, 0, -value];
    case 'us':
      return [Math.floor(value / 2), value * 2, value * 10];
    case 'retryCnt':
    case 'rnrRetry':
      return [0, 1, 2, 7];
    case 'region':
    case 'wr':
    case 'fill':
    case 'version':
      return [];
    default:
      return [0, 1, 2, value - 1, value + 1, value * 2].filter((n) => n >= 0);
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
};

function pathWords(path: Path): string {
  return path
    .map((key) => spoken[String(key)] ?? String(key))
    .filter((name) => name !== '')
    .join(' ');
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
  for (const [end, names] of Object.entries(planFields[scenario.dut]) as [Role, readonly string[]][]) {
    for (const { path, value } of leaves(scenario[end])) {
      const name = String(path[0]);
      if (path.length !== 1 || !names.includes(name)) continue;
      const what = name === 'startPsn' ? `first PSN of the ${end}` : `${name} of the ${end}`;
      yield { path: [end, name], what, values: candidates(name, value) };
    }
  }
  for (const [i, step] of scenario.steps.entries()) {
    for (const { path, value } of leaves(step)) {
      const key = String(path.findLast((part) => typeof part === 'string'));
      const what = `${stepName(step, i)}: ${pathWords(path)}`;
      yield { path: ['steps', i, ...path], what, values: candidates(key, value) };
    }
  }
  for (const [i, fault] of scenario.faults.entries()) {
    for (const { path, value } of leaves(fault)) {
      const key = String(path.findLast((part) => typeof part === 'string'));
      yield {
        path: ['faults', i, ...path],
        what: `fault ${i + 1}: ${pathWords(path)}`,
        values: candidates(key, value),
      };
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
  for (const { path, what, values } of parts(scenario, profile)) {
    const own = valueAt(scenario, path);
    if (typeof own !== 'string' && typeof own !== 'number' && typeof own !== 'boolean') continue;
    const options = [...new Set(values)]
      .filter((value) => value !== own)
      .flatMap((value) => {
        const changed = sound(replaced(scenario, path, value));
        return changed === undefined || !fitsAsWell(changed, scenario, profile)
          ? []
          : [{ value: word(value), scenario: changed }];
      });
    if (options.length > 0) yield { what, is: word(own), options };
  }
}
