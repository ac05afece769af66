import type { Step } from '../scenario.ts';
import type { Recorder } from './recorder.ts';
import type { End } from './setup/end.ts';

/** Asks for the end of the QP, of each CQ, of the SRQ, of each memory region or of the PD; the device may refuse. Nothing where there is none, or none any more. */
export async function destroy(
  end: End,
  { object }: Extract<Step, { do: 'destroy' }>,
  recorder: Recorder,
): Promise<void> {
  const { verbs, qp, srq } = end;
  switch (object) {
    case 'qp': {
      if (end.gone) return;
      const call = async (): Promise<void> => verbs.destroy_qp(qp);
      end.gone = await recorder.attempt(qp, call, { call: 'destroy_qp', qp });
      return;
    }
    case 'cq':
      for (const cq of end.cqs) {
        const call = async (): Promise<void> => verbs.destroy_cq(cq);
        if (await recorder.attempt(qp, call, { call: 'destroy_cq', cq }))
          end.cqs = end.cqs.filter((other) => other !== cq);
      }
      return;
    case 'srq': {
      if (srq === undefined) return;
      const call = async (): Promise<void> => verbs.destroy_srq(srq);
      if (await recorder.attempt(qp, call, { call: 'destroy_srq', srq })) end.srq = undefined;
      return;
    }
    case 'mr':
      return deregisterAll(end, recorder);
    case 'pd': {
      const [pd] = end.pds;
      if (pd === undefined) return;
      const call = async (): Promise<void> => verbs.dealloc_pd(pd);
      if (await recorder.attempt(qp, call, { call: 'dealloc_pd', pd })) end.pds.shift();
    }
  }
}

async function deregisterAll(end: End, recorder: Recorder): Promise<void> {
  const goes = async (mr: number): Promise<boolean> =>
    recorder.attempt(end.qp, async () => end.verbs.dereg_mr(mr), { call: 'dereg_mr', mr });
  for (const [i, { mr }] of end.regions.entries())
    if (!end.deregistered.has(i) && (await goes(mr))) end.deregistered.add(i);
  for (const region of [...end.sends.regions, ...end.receives.regions])
    if (region.deregistered !== true && (await goes(region.mr))) region.deregistered = true;
}
