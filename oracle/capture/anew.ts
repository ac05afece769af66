import type { Ledger } from '../rulebook/ledger.ts';
import type { Violation } from '../trace.ts';

/** What else may be the case where something contradicts what was seen before. */
export const connectedAnew = 'the QP has been connected anew';
export const anotherConnection = 'it answers another connection, whose requests the capture lacks';

/** A violation, unless another connection has begun, or `otherwise`. */
export function orAnew({ qp, observed, expected, rule }: Violation, otherwise = connectedAnew): string {
  return `${qp}: ${observed}, expected ${expected}: ${rule} is broken, or ${otherwise}`;
}

/** What `look` finds broken is in doubt, and handed to `doubt`. Gives whether there is any. */
export function doubted(
  ledger: Ledger,
  look: () => void,
  doubt = (why: string): void => {
    ledger.doubt(why);
  },
): boolean {
  const found = ledger.tentatively(look);
  for (const one of found) doubt(orAnew(one));
  return found.length > 0;
}
