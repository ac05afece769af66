import type { Ledger } from '../rulebook/ledger.ts';
import type { Violation } from '../trace.ts';

/** A violation, unless another connection has begun. */
export function orAnew({ qp, observed, expected, rule }: Violation): string {
  return `${qp}: ${observed}, expected ${expected}: ${rule} is broken, or the QP has been connected anew`;
}

/** What `look` finds broken is in doubt, and told to `doubt`. Gives whether there is any. */
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
