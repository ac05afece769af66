import type { RefusedList, RefusedPost } from '../device/listener.ts';
import type { Rule } from '../rules.ts';
import type { Spot, When } from '../spot.ts';
import type { VerbsContext } from './context.ts';
import type { KnownQp } from './objects.ts';
import type { VerbsInputs } from './variables.ts';

type Place = VerbsInputs['chain']['place'];

/** Rules of lists that are broken by a work request at this place; they count as exercised. `posted`: it is, as far as was seen. */
function broken(
  context: VerbsContext,
  qp: KnownQp | undefined,
  place: Place,
  posted: boolean,
  named = true,
): readonly Rule[] {
  const inputs = context.event(qp);
  inputs.chain = { place, posted, named };
  return context.book.broken('post-list', 'mustPost', context.met(qp, inputs));
}

/** The device has taken a work request of a list. */
export function listTaken(context: VerbsContext, qp: KnownQp | undefined): void {
  broken(context, qp, 'taken', true);
}

/** The device has refused a list, all of it or the rest. */
export function listRefused(
  context: VerbsContext,
  post: RefusedPost,
  { wr_ids, bad_wr }: RefusedList,
  when: When,
): void {
  const qp = post.queue === 'shared' ? undefined : context.of(post.qp);
  const spot = { ...when, qp: qp?.name ?? 'device' };
  for (const rule of broken(context, qp, 'whole', false, bad_wr !== undefined))
    context.book.violate(rule, spot, `bad_wr names one of ${wr_ids.length}`, 'it names none of them');
  if (bad_wr === undefined) return;
  const list =
    post.queue === 'shared'
      ? context.ofSrq(post.srq).posted
      : post.queue === 'send'
        ? qp?.sends
        : qp?.receives;
  for (const [i, wrId] of wr_ids.slice(bad_wr).entries()) {
    const place = i === 0 ? 'refused' : 'behind';
    list?.leave(wrId, place);
    broken(context, qp, place, false);
  }
}

/** A completion names no work request that is outstanding: whether it is one that the device has said not to have posted. */
export function wasLeft(context: VerbsContext, qp: KnownQp, wrId: number, spot: Spot): boolean {
  for (const list of [qp.sends, qp.receives, qp.srq?.posted]) {
    const place = list?.left(wrId);
    if (place === undefined) continue;
    const expected = `wr_id ${wrId} is not posted, ${place === 'refused' ? 'as bad_wr names it' : 'since it is behind bad_wr'}`;
    for (const rule of broken(context, qp, place, true))
      context.book.violate(rule, spot, expected, `wr_id ${wrId} completes`);
    return true;
  }
  return false;
}

/** Work requests of a list do not complete, though all that are outstanding must. */
export function listMissing(context: VerbsContext, qp: KnownQp): readonly Rule[] {
  return broken(context, qp, 'taken', false);
}
