import type { Role, Step } from '../../scenario.ts';

export type PostSend = Extract<Step, { do: 'post_send' }>;
export type PostRecv = Extract<Step, { do: 'post_recv' }>;
export type PostStep = PostSend | PostRecv;

/** Whose queue a step posts to. */
export function endOf({ do: kind, at }: PostStep): Role {
  return at ?? (kind === 'post_send' ? 'requester' : 'responder');
}

/** The steps at the head of `following` that are in one list with `first`. */
export function listBehind<S extends PostStep>(first: S, following: readonly Step[]): S[] {
  const list: S[] = [];
  const isOwn = (step: Step): boolean => step.do === 'post_recv' && step.own === true;
  const isNext = (step: Step): step is S =>
    step.do === first.do && endOf(step) === endOf(first) && isOwn(step) === isOwn(first);
  for (const step of following) {
    if ((list.at(-1) ?? first).linked !== true || !isNext(step)) break;
    list.push(step);
  }
  return list;
}

/** Makes something of each, one after the other. */
export async function inTurn<A, B>(
  [first, ...rest]: readonly [A, ...A[]],
  make: (one: A) => Promise<B>,
): Promise<[B, ...B[]]> {
  const made: [B, ...B[]] = [await make(first)];
  for (const one of rest) made.push(await make(one));
  return made;
}
