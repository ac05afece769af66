import type { Verbs } from './adapter.ts';

const limitMs = 1000;
const pollMs = 20;

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
  for (const end = performance.now() + limitMs; performance.now() < end;) {
    if ((await query()).includes(gid) === present) return;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
