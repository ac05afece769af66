import type { Role, RoutePlan, Step, WrPlan } from '../../scenario.ts';

/** An address handle that datagrams of a scenario need; `route` absent: that of the QP. */
interface Handle {
  way: NonNullable<WrPlan['path']> | 'peer';
  route: RoutePlan | undefined;
}

/** The address handle of a datagram, and what it is found by. */
export function handleOf({ path, route }: WrPlan): Handle & { key: string } {
  const way = path ?? 'peer';
  return { way, route, key: JSON.stringify([way, route]) };
}

/** All that the datagrams of one end need, or of both where none is named. */
export function handlesOf(steps: readonly Step[], role?: Role): ReadonlyMap<string, Handle> {
  const handles = new Map<string, Handle>();
  for (const step of steps) {
    if (step.do !== 'post_send' || (role !== undefined && (step.at ?? 'requester') !== role)) continue;
    const { key, ...handle } = handleOf(step.wr);
    handles.set(key, handle);
  }
  return handles;
}
