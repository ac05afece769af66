import { AdapterUnavailable, type Bench } from '../../../adapters/adapter.ts';
import { realClock } from '../../../adapters/real-clock.ts';
import { guestHindrance, openGuest, rxeAdapter } from '../../../adapters/rxe/index.ts';

async function tried<T>(open: () => Promise<T>): Promise<T | string> {
  const known = guestHindrance('6.1');
  if (known !== undefined) return known;
  try {
    return await open();
  } catch (error) {
    if (error instanceof AdapterUnavailable) return error.message;
    throw error;
  }
}

/** Why no guest can be had on this machine; `undefined` where one was booted and ended. */
export async function hindranceHere(): Promise<string | undefined> {
  return tried(async () => {
    await (await openGuest(realClock())).close();
    return undefined;
  });
}

/** The device in a guest, or why it cannot be had on this machine. */
export async function openHere(): Promise<Bench | string> {
  return tried(async () => rxeAdapter({}).open({}));
}
