import { AdapterBroken } from './adapter.ts';
import type { Verbs } from './adapter.ts';

const limitMs = 10_000;
const pollMs = 20;

/** Waits until a device says that its port's link is up or down; AdapterBroken where it never does. */
export async function portFollows(verbs: Pick<Verbs, 'query_port'>, up: boolean): Promise<void> {
  const query = verbs.query_port;
  if (query === undefined) return;
  for (const end = performance.now() + limitMs; ;) {
    const { state } = await query();
    if ((state === 'IBV_PORT_ACTIVE') === up) return;
    if (performance.now() > end)
      throw new AdapterBroken(`the link was taken ${up ? 'up' : 'down'}, but the port stays ${state}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
