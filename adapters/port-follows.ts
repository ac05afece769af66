import { AdapterBroken } from './adapter.ts';
import type { Verbs } from './adapter.ts';

const pollMs = 20;

/** Looks until it is so, or so many milliseconds are over; gives whether it is. */
async function becomes(limitMs: number, look: () => Promise<boolean>): Promise<boolean> {
  for (const end = performance.now() + limitMs; ;) {
    if (await look()) return true;
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/** Waits until a device says that its port's link is up or down; AdapterBroken where it does not within ten seconds. */
export async function portFollows(verbs: Pick<Verbs, 'query_port'>, up: boolean): Promise<void> {
  const query = verbs.query_port;
  if (query === undefined) return;
  let seen = '';
  const follows = await becomes(10_000, async () => {
    const { state } = await query();
    seen = state;
    return (state === 'IBV_PORT_ACTIVE') === up;
  });
  if (!follows)
    throw new AdapterBroken(`the link was taken ${up ? 'up' : 'down'}, but the port stays ${seen}`);
}

/**
 * A line of shell that waits until Linux tells the users of an interface that its link has changed, for three seconds at most. It does so once
 * a second at most, and of a link that goes and comes between nobody hears. `operstate` changes just before it does.
 */
export function linkFollows(netdev: string, up: boolean): string {
  const file = `/sys/class/net/${netdev}/operstate`;
  const there = `read -r state <${file}; [ "$state" ${up ? '!' : ''}= down ] && exit`;
  return `for i in $(seq 60); do ${there}; sleep 0.05; done`;
}

/**
 * Waits until a device lists a GID of its port, or no longer does, for a second at most: the table follows the addresses of the host
 * a moment later. What it does not do by then is for the rules to judge.
 */
export async function gidFollows(
  verbs: Pick<Verbs, 'query_gid'>,
  gid: string,
  present: boolean,
): Promise<void> {
  const query = verbs.query_gid;
  if (query === undefined) return;
  await becomes(1000, async () => (await query()).includes(gid) === present);
}
