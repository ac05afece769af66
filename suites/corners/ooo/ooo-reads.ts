import fc from 'fast-check';
import { settle } from '../../arbitraries/packets.ts';
import { anyCell, type Grid } from '../../grid.ts';
import { common, scenarios } from '../../ooo/parts.ts';
import type { SuiteProperty } from '../../property.ts';
import { answeredJobs, job, wrOf, type JobKind } from '../../rc-requester/jobs.ts';
import type { Step } from '../../scenario.ts';

/** Kinds of the requests that have to wait, and how many may be unanswered. */
interface Depth {
  kind: JobKind | 'mixed';
  depth: number;
}

const depths: Grid<Depth> = {
  name: 'READs or ATOMICs beyond max_rd_atomic',
  cells: ({ capabilities }) =>
    [1, 2].flatMap((depth) =>
      (['fetch-add', 'read', 'mixed', 'cmp-swap'] as const)
        .filter((kind) => kind === 'read' || capabilities.includes('atomic'))
        .map((kind) => ({ kind, depth })),
    ),
};

export const oooReads: SuiteProperty = {
  ...common,
  id: 'ooo/reads-outstanding',
  says: 'No more READs and ATOMICs are unanswered at a time than max_rd_atomic, and those that wait go out as answers come.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        cell: anyCell(depths, profile),
        all: fc.array(job(profile, answeredJobs, { mostMtus: 1, signaled: true }), {
          minLength: 3,
          maxLength: 4,
          size: 'max',
        }),
      }),
      ({ mtu }, { cell: { kind, depth }, all }) => ({
        depth: Math.min(depth, profile.limits.maxDestRdAtomic),
        srq: false,
        steps: [
          ...all.map((one): Step => {
            const wr = wrOf(kind === 'mixed' ? one : { ...one, kind }, mtu);
            return { do: 'post_send', wr };
          }),
          settle,
        ],
      }),
    ),
  grids: [depths],
  aims: ['ooo-reads-outstanding', 'ooo-send-owed'],
};
