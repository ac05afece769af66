import { storeResult } from '../../rc-requester/data.ts';
import { payloadOf } from '../../rc-requester/segment.ts';
import { faultsAt } from '../../seam.ts';
import { put, scatter, sgeBytes } from '../memory/sge-list.ts';
import { localPlace } from '../memory/protection.ts';

/** Elements that fit into a WQE of 256 bytes. */
const fitting = 16;

/** What mutants do with lists that are longer than others. */
export const longListFaults = [
  faultsAt(payloadOf, {
    'gather-sixteen-elements': (sound, core, qp, wqe, offset, length) => {
      const data = sound(core, qp, wqe, offset, length);
      const from = sgeBytes(wqe.wr.sg_list.slice(0, fitting)) - offset;
      if (data === undefined || wqe.inline !== undefined || from >= data.length) return data;
      return data.slice().fill(0, Math.max(0, from));
    },
  }),

  faultsAt(scatter, {
    'scatter-sixteen-elements': (sound, memory, list, position, data, pd) => {
      const room = sgeBytes(list.slice(0, fitting)) - position;
      return sound(memory, list, position, data.subarray(0, Math.max(0, room)), pd);
    },
  }),

  faultsAt(storeResult, {
    'atomic-result-in-first-element': (sound, core, qp, wqe, result) => {
      const [first] = wqe.wr.sg_list;
      if (first === undefined) return sound(core, qp, wqe, result);
      const place = localPlace(core.memory, first, 0, first.length, qp.pd, true);
      if (place !== undefined) put(core.memory, place, result.subarray(0, first.length));
      return place !== undefined;
    },
  }),
];
