import { ooo } from '../ooo/index.ts';
import { rcRequester } from '../rc-requester/index.ts';
import { rcResponder } from '../rc-responder/index.ts';
import type { SuiteProperty } from '../property.ts';
import { uc } from '../unreliable/uc.ts';
import { ud } from '../unreliable/ud.ts';

/** A machine whose cases others are made of. */
export type Machine = 'rc-responder' | 'rc-requester' | 'uc' | 'ud' | 'ooo';

const all: Readonly<Record<Machine, readonly SuiteProperty[]>> = {
  'rc-responder': rcResponder,
  'rc-requester': rcRequester,
  uc,
  ud,
  ooo,
};

/** Cases that go through states of their own, that end the QP, or that take long. */
const unfit = /state|life|anew|drain|in-sqd|established|migration|midway|destroyed|too-long|longest|live/;

/** Properties whose cases can be moved: to another state, into another life. */
export function sourcesOf(machine: Machine): readonly SuiteProperty[] {
  return all[machine].filter(({ id }) => !unfit.test(id));
}
