import type { Requester, RequesterOptions } from './scripted-requester.ts';

/** One exchange between a requester and its crafted peer: enough to tell a mutant from a sound device. */
export interface Script {
  name: string;
  options: RequesterOptions;
  run: (r: Requester) => Promise<void>;
}

export const us = 1000;

export const script = (name: string, qp: RequesterOptions['qp'], run: Script['run']): Script => ({
  name,
  options: qp === undefined ? {} : { qp },
  run,
});
