import fc from 'fast-check';
import { settle } from '../../arbitraries/packets.ts';
import { anyCell, type Grid } from '../../grid.ts';
import { timesNamed } from '../../lists/values.ts';
import { common, ms, scenarios } from '../../ooo/parts.ts';
import { finished } from '../../ooo/requester.ts';
import type { SuiteProperty } from '../../property.ts';
import { dataJobs, everyJob, job, jobs, wrOf } from '../../rc-requester/jobs.ts';
import type { WrPlan } from '../../scenario.ts';

type Flaw = 'length' | 'operation';

const flaws: Grid<Flaw> = {
  name: 'fault of a work request that no memory is the cause of',
  cells: () => ['length', 'operation'],
};

/** Work requests that cannot be carried out, whatever memory they name. */
export const malformed: SuiteProperty = {
  ...common,
  id: 'ooo/requester-malformed',
  says: 'A work request that is too long, or whose opcode does not exist, fails with the status of its fault when all before it are complete.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        flaw: anyCell(flaws, profile),
        before: fc.array(job(profile, everyJob, { mostMtus: 1 }), { maxLength: 2 }),
        bad: job(profile, dataJobs, { mostMtus: 1 }),
        behind: jobs(profile, dataJobs, 2, { mostMtus: 1 }),
      }),
      ({ mtu }, { flaw, before, bad, behind }) => {
        const repeat = timesNamed(profile);
        const length = Math.floor(profile.limits.maxMessageBytes / repeat) + 1;
        const plain = wrOf({ ...bad, inline: false }, mtu);
        const wrong: WrPlan =
          flaw === 'length' ? { ...plain, length, repeat, offset: 0 } : { ...plain, rawOpcode: 99 };
        const sound = (j: typeof bad): WrPlan => wrOf(j, mtu);
        const steps = finished([...before, ...behind].map(sound), ms);
        const at = steps.findIndex(({ do: what }) => what === 'post_send') + before.length;
        return { steps: [...steps.slice(0, at), { do: 'post_send', wr: wrong }, ...steps.slice(at), settle] };
      },
    ),
  grids: [flaws],
  aims: ['send-too-long', 'send-opcode-invalid'],
};
