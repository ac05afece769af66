import { VerbsError } from '../../adapter.ts';
import { takesNewKeys } from '../device/memory/reregistration.ts';
import { refusal } from '../attributes/modify.ts';
import { toError } from '../attributes/modify.ts';
import { masksOf } from '../attributes/transitions.ts';
import { mayRearm } from '../path-migration/migration.ts';
import { choicesAt } from '../seam.ts';
import { postUnused } from '../verbs/post.ts';
import { EOPNOTSUPP } from '../verbs/errno.ts';

/** Devices that refuse calls otherwise, take what others refuse, or answer them otherwise. */
export const calls = [
  choicesAt(postUnused, { 'own-queue-unused': () => undefined }),
  // what ibv_dereg_mr and ibv_reg_mr would do, one behind the other
  choicesAt(takesNewKeys, { 'rereg-new-keys': () => true }),
  choicesAt(refusal, { 'other-errno': () => new VerbsError('modify_qp', EOPNOTSUPP) }),
  choicesAt(masksOf, {
    // as from any other state
    'reset-to-error': (sound, device, service, from, to) =>
      sound(device, service, to === 'IBV_QPS_ERR' ? 'IBV_QPS_INIT' : from, to),
  }),
  choicesAt(toError, {
    'reset-to-error': (sound, device, qp) => {
      sound(device, qp);
      qp.state = qp.attr.qp_state = 'IBV_QPS_ERR';
    },
  }),
  choicesAt(mayRearm, { 'rearm-without-path': () => true }),
];
