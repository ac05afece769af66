import type { Rule } from '../../rules.ts';
import { gather } from './state.ts';
import type { ReceiveState } from './state.ts';

/** One way that the rules allow a packet to go. */
export interface Course {
  /** the state that it leads to */
  after: ReceiveState;
  rules: readonly Rule[];
  /** by which the packet was discarded; `undefined`: it was carried out */
  discardedBy: Rule | undefined;
  /** the rule that says what software is to see of it, where it is not the same */
  reportedBy?: Rule;
  /** it was discarded for lack of a receive WQE */
  starved: boolean;
}

/** The states behind a packet, by the courses that it may take in each state in front of it; with it the courses of the first of these. */
export function behindPacket(
  states: readonly ReceiveState[],
  coursesIn: (state: ReceiveState) => readonly Course[],
): { courses: readonly Course[]; after: ReceiveState[] } {
  const all = states.map(coursesIn);
  const courses = all.find(({ length }) => length > 0) ?? [];
  const taken = all.flat();
  const [only, other] = taken;
  if (only !== undefined && other === undefined) return { courses, after: [only.after] };
  const after = new Map<string, ReceiveState>();
  for (const course of taken) gather(after, course.after);
  return { courses, after: [...after.values()] };
}

/** The rules that leave the device another course than this one. Of what is not known, no other course decides anything. */
export function choicesBeside({ rules }: Course, courses: readonly Course[]): Rule[] {
  const others = new Set(courses.flatMap((course) => course.rules));
  return [...others].filter((rule) => rule.level === 'may' && !rules.includes(rule));
}
