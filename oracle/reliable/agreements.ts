import { forgetOldest } from '../forget-oldest.ts';
import type { Agreement } from '../capture/setups.ts';
import type { Packet } from '../../wire/packet.ts';
import { psnDiff } from '../../wire/psn.ts';

/** Of more connections than these, the oldest are forgotten. */
const most = 0x10000;
/** The capture may lack so many of the first requests of a connection. */
const lacking = 4096;

/** Connections that both ends have agreed on, and that have not begun. */
export class Agreements {
  readonly #byKey = new Map<string, Agreement>();

  add(agreement: Agreement): void {
    const key = keyOf(agreement);
    this.#byKey.delete(key);
    this.#byKey.set(key, agreement);
    forgetOldest(this.#byKey, most);
  }

  /** The one that begins with this request; it is not kept any longer. */
  take(request: Packet): Agreement | undefined {
    if (this.#byKey.size === 0) return undefined;
    const key = keyOf(request);
    const agreement = this.#byKey.get(key);
    if (agreement === undefined || !isAmongFirst(request, agreement)) return undefined;
    this.#byKey.delete(key);
    return agreement;
  }
}

/** Whether a request is among the first of the connection that was agreed on. */
export function isAmongFirst({ psn }: Pick<Packet, 'psn'>, agreement: Agreement): boolean {
  const ahead = psnDiff(psn, agreement.psn);
  return ahead >= 0 && ahead < lacking;
}

function keyOf({ addressKey, destQp }: Pick<Packet, 'addressKey' | 'destQp'>): string {
  return `${addressKey}/${destQp}`;
}
