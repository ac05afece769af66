import { VerbsError } from '../../adapter.ts';
import { refusal } from '../attributes/modify.ts';
import { mayRearm } from '../path-migration/migration.ts';
import { choicesAt } from '../seam.ts';
import { postUnused } from '../verbs/post.ts';
import { EOPNOTSUPP } from '../verbs/errno.ts';

/** Devices that refuse calls otherwise, or take what others refuse. */
export const calls = [
  choicesAt(postUnused, { 'own-queue-unused': () => undefined }),
  choicesAt(refusal, { 'other-errno': () => new VerbsError('modify_qp', EOPNOTSUPP) }),
  choicesAt(mayRearm, { 'rearm-without-path': () => true }),
];
