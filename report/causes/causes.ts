import { sortInfluences, tellingFirst } from '../influences.ts';
import { withoutHistory, type Failure, type Influence, type RunResult } from '../results.ts';
import { joinCompanions } from './companions.ts';
import { joinConsequences, orderWithin } from './consequences.ts';
import { countersOf, leftBehindOf } from './left-behind.ts';
import { distinguished } from './names.ts';
import { joinOverflows } from './overflows.ts';
import { joinBy, nodesOf, root, type ByKey, type Node } from './nodes.ts';
import {
  craftedOf,
  departuresOf,
  misfitsOf,
  nameOf,
  silencesOf,
  twinsOf,
  uncheckedOf,
  wordsOf,
} from './kinds.ts';
import { joinSkipped } from './skipped.ts';
import { joinUnflushed } from './standing.ts';
import { symptomsOf } from './symptoms.ts';

/** What is likely one defect: findings that share a symptom, or of which one comes before the other in every exchange. */
export interface Cause {
  /** in words; no two causes of a run share it */
  name: string;
  /** the gravest of its findings; absent in results of earlier versions. `of`: its rule, where that is not what the cause is named by */
  impact?: { id: string; says: string; of?: string };
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

const hasHistory = ({ failure: { signature = '' } }: Node): boolean =>
  withoutHistory(signature) !== signature;

/**
 * What explains others first, then the gravest; of equal ones, the one whose rule is broken most often, then what shows whatever
 * software had done with the QP, and then the one with the shorter exchange.
 */
function compare(a: Node, b: Node): number {
  return (
    Number(b.explains === true) - Number(a.explains === true) ||
    a.rank - b.rank ||
    Number(b.failure.level === 'must') - Number(a.failure.level === 'must') ||
    (b.rule?.violations ?? 0) - (a.rule?.violations ?? 0) ||
    Number(hasHistory(a)) - Number(hasHistory(b)) ||
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
  const rank = Math.min(...members.map((member) => member.rank));
  const impact = impacts[rank];
  const gravest = lead.rank === rank ? undefined : members.find((one) => one.rank === rank)?.failure.rule;
  const cause = {
    name: nameOf(lead, own),
    ...(impact !== undefined && { impact: { ...impact, ...(gravest !== undefined && { of: gravest }) } }),
    known: members.every(({ failure }) => failure.known),
    times: [...rules.values()].reduce((sum, times) => sum + times, 0),
    findings: own.map(({ failure }) => failure),
    consequences: members
      .filter((node) => node.parent !== undefined)
      .toSorted(compare)
      .map(({ failure }) => failure),
    matters: tellingFirst(sortInfluences(lead.failure.influences ?? []).matter),
  };
  return { cause, rank };
}

function sizeOf({ findings, consequences }: Cause): number {
  return findings.length + consequences.length;
}

/**
 * The findings of a run by what is likely one defect each. Known ones are of one defect where the list gives them one link, and of
 * two where it gives them two. News comes first, then the gravest, then the one that breaks most.
 */
export function causesOf(result: RunResult): Cause[] {
  const nodes = nodesOf(result);
  const byKey: ByKey = new Map(nodes.map((node) => [node.key, node]));
  joinBy(nodes, ({ defect }) => (defect === undefined ? [] : [defect]));
  joinConsequences(nodes, byKey);
  const own = nodes.filter(({ parent }) => parent === undefined);
  joinBy(own, ({ failure }) => symptomsOf(failure));
  joinBy(own, wordsOf);
  joinBy(own, departuresOf);
  joinBy(own, twinsOf);
  joinBy(own, leftBehindOf);
  joinBy(own, countersOf);
  joinBy(own, misfitsOf);
  joinBy(own, uncheckedOf);
  joinBy(own, craftedOf);
  joinBy(own, silencesOf(own));
  joinCompanions(own, byKey, result.cases);
  joinOverflows(own);
  joinUnflushed(own);
  joinSkipped(own);
  orderWithin(nodes, byKey);
  const groups = new Map<Node, Node[]>();
  for (const node of nodes) groups.set(root(node), [...(groups.get(root(node)) ?? []), node]);
  const ranked = [...groups.values()]
    .map((members) => causeOf(members, result))
    .toSorted(
      (a, b) =>
        Number(a.cause.known) - Number(b.cause.known) ||
        a.rank - b.rank ||
        b.cause.times - a.cause.times ||
        sizeOf(b.cause) - sizeOf(a.cause),
    );
  return distinguished(ranked.map(({ cause }) => cause));
}
