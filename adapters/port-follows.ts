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
