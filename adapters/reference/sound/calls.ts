import { VerbsError } from '../../adapter.ts';
import { refusal } from '../attributes/modify.ts';
import { choicesAt } from '../seam.ts';
import { EOPNOTSUPP } from '../verbs/errno.ts';

/** Devices that refuse calls otherwise. */
export const calls = [choicesAt(refusal, { 'other-errno': () => new VerbsError('modify_qp', EOPNOTSUPP) })];
