import type { Profile } from '../../../adapters/adapter.ts';
import type { AccessFlag } from '../../../spec/verbs.ts';
import { fullAccess, hasAtomics } from '../../arbitraries/base.ts';
import { pairs } from '../../grid.ts';

const kinds = ['write', 'read', 'fetch-add'] as const;
const calls = ['taken', 'given'] as const;

/** A request that needs a right of the QP, and whether an ibv_modify_qp asks to take the right or to give it. */
export type RightChange = [(typeof kinds)[number], (typeof calls)[number]];

const rights: Readonly<Record<RightChange[0], AccessFlag>> = {
  write: 'IBV_ACCESS_REMOTE_WRITE',
  read: 'IBV_ACCESS_REMOTE_READ',
  'fetch-add': 'IBV_ACCESS_REMOTE_ATOMIC',
};

/** Every such change that the device can be asked for. */
export function rightChanges(profile: Profile): readonly RightChange[] {
  return pairs(hasAtomics(profile) ? kinds : kinds.slice(0, 2), calls);
}

/** All rights but the one that a request needs. */
export function accessWithout(profile: Profile, kind: RightChange[0]): AccessFlag[] {
  return fullAccess(profile).filter((flag) => flag !== rights[kind]);
}

/** Rights of the QP as it begins, and those that the call asks for. */
export function accessOf(
  profile: Profile,
  [kind, call]: RightChange,
): { had: AccessFlag[]; asked: AccessFlag[] } {
  const full = fullAccess(profile);
  const without = accessWithout(profile, kind);
  return call === 'taken' ? { had: full, asked: without } : { had: without, asked: full };
}
