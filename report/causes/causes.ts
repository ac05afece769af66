import { sortInfluences } from '../influences.ts';
import {
  findingName,
  withoutHistory,
  type Failure,
  type Influence,
  type RuleResult,
  type RunResult,
} from '../results.ts';
import { symptomsOf, symptomText } from './symptoms.ts';

/** What is likely one defect: findings that share a symptom, or of which one comes before the other in every exchange. */
export interface Cause {
  /** in words; no two causes of a run share it */
  name: string;
  /** the gravest of its findings; absent in results of earlier versions */
  impact?: { id: string; says: string };
  /** every finding is on the list of known divergences */
  known: boolean;
  /** how often its rules were broken */
  times: number;
  /** what names it, first; then what else shows it by itself */
  findings: Failure[];
  /** broken only in exchanges in which another finding of the cause comes first */
  consequences: Failure[];
  /** parts of the exchange without which nothing is broken */
  matters: Influence[];
}

/** From this share of all exchanges on, what they break on the way to something else says nothing about that. */
const background = 0.3;
const fewExchanges = 6;

interface Node {
  readonly key: string;
  readonly failure: Failure;
  readonly rule: RuleResult | undefined;
  readonly rank: number;
  parent: Node | undefined;
  /** a node of the same group; absent: it stands for its group */
  group?: Node;
}

function root(node: Node): Node {
  let found = node;
  while (found.group !== undefined) found = found.group;
  return found;
}

function join(a: Node, b: Node): void {
  const [own, other] = [root(a), root(b)];
  if (own !== other) own.group = other;
}

function nodesOf({ failures, rules, impacts = [] }: RunResult): Node[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return failures.map((failure): Node => {
    const rule = byId.get(failure.rule);
    const at = impacts.findIndex(({ id }) => id === rule?.impact);
    const made = { key: findingName(failure), failure, rule, parent: undefined };
    return { ...made, rank: at < 0 ? impacts.length : at };
  });
}

/** Findings that most exchanges show, whatever they are about. */
function everywhere(nodes: readonly Node[]): Set<string> {
  const seen = new Map<string, number>();
  for (const { failure } of nodes)
    for (const other of failure.also ?? [])
      if (other.before) seen.set(findingName(other), (seen.get(findingName(other)) ?? 0) + 1);
  const most = Math.max(fewExchanges, nodes.length * background);
  return new Set([...seen].filter(([, times]) => times >= most).map(([key]) => key));
}

type ByKey = ReadonlyMap<string, Node>;

function joinConsequences(nodes: readonly Node[], byKey: ByKey): void {
  const aside = everywhere(nodes);
  for (const node of nodes) {
    const first = (node.failure.also ?? [])
      .filter(({ before }) => before)
      .map(findingName)
      .find((key) => !aside.has(key) && byKey.has(key));
    const parent = first === undefined ? undefined : byKey.get(first);
    // what is graver is news, whatever comes before it
    if (parent === undefined || parent.rank > node.rank || root(parent) === root(node)) continue;
    node.parent = parent;
    join(node, parent);
  }
}

/** A defect that shows without what software had done shows with it as well. */
function joinHistories(nodes: readonly Node[], byKey: ByKey): void {
  for (const node of nodes) {
    const { rule, signature = '' } = node.failure;
    const plain = byKey.get(findingName({ rule, signature: withoutHistory(signature) }));
    if (plain !== undefined && plain.parent === undefined) join(node, plain);
  }
}

function joinBy(nodes: readonly Node[], keysOf: (node: Node) => readonly string[]): void {
  const first = new Map<string, Node>();
  for (const node of nodes) {
    for (const key of keysOf(node)) {
      const other = first.get(key);
      if (other === undefined) first.set(key, node);
      else join(node, other);
    }
  }
}

/** Gravest first; of equal ones, the one with the shorter exchange says it best. */
function compare(a: Node, b: Node): number {
  return (
    a.rank - b.rank ||
    Number(b.failure.level === 'must') - Number(a.failure.level === 'must') ||
    a.failure.ladder.length - b.failure.ladder.length
  );
}

function causeOf(members: readonly Node[], { impacts = [] }: RunResult): { cause: Cause; rank: number } {
  const own = members.filter(({ parent }) => parent === undefined).toSorted(compare);
  const [lead] = own.length > 0 ? own : members;
  if (lead === undefined) throw new Error('a cause without findings');
  const rules = new Map(
    members.flatMap(({ rule }) => (rule === undefined ? [] : [[rule.id, rule.violations]])),
  );
  const impact = impacts[lead.rank];
  const cause = {
    name: symptomText(lead.failure),
    ...(impact !== undefined && { impact }),
    known: members.every(({ failure }) => failure.known),
    times: [...rules.values()].reduce((sum, times) => sum + times, 0),
    findings: own.map(({ failure }) => failure),
    consequences: members
      .filter((node) => node.parent !== undefined)
      .toSorted(compare)
      .map(({ failure }) => failure),
    matters: sortInfluences(lead.failure.influences ?? []).matter,
  };
  return { cause, rank: lead.rank };
}

function sizeOf({ findings, consequences }: Cause): number {
  return findings.length + consequences.length;
}

/** What stands behind a name that several causes have: the rule of each, and where that is the same, what each was seen as. */
const marks: readonly ((lead: Failure) => string)[] = [
  () => '',
  ({ rule }) => ` (${rule})`,
  ({ rule, signature = '' }) => ` (${rule}: ${signature})`,
];

function toldApart(causes: readonly Cause[]): Cause[] {
  const marked = causes.map((cause) => {
    const [lead] = [...cause.findings, ...cause.consequences];
    return { cause, names: marks.map((mark) => cause.name + (lead === undefined ? '' : mark(lead))) };
  });
  return marked.map(({ cause, names }) => {
    const own = names.find((name, i) => marked.filter((one) => one.names[i] === name).length === 1);
    return { ...cause, name: own ?? names.at(-1) ?? cause.name };
  });
}

/** The findings of a run by what is likely one defect each: news first, then the gravest, then the one that breaks most. */
export function causesOf(result: RunResult): Cause[] {
  const nodes = nodesOf(result);
  const byKey: ByKey = new Map(nodes.map((node) => [node.key, node]));
  joinConsequences(nodes, byKey);
  const own = nodes.filter(({ parent }) => parent === undefined);
  joinHistories(own, byKey);
  joinBy(own, ({ failure }) => symptomsOf(failure));
  joinBy(own, ({ failure, rule }) =>
    failure.known && rule?.known?.link !== undefined ? [rule.known.link] : [],
  );
  const groups = new Map<Node, Node[]>();
  for (const node of nodes) groups.set(root(node), [...(groups.get(root(node)) ?? []), node]);
  const ranked = [...groups.values()]
    .map((members) => causeOf(members, result))
    .toSorted(
      (a, b) =>
        Number(a.cause.known) - Number(b.cause.known) || a.rank - b.rank || sizeOf(b.cause) - sizeOf(a.cause),
    );
  return toldApart(ranked.map(({ cause }) => cause));
}
