import fc from 'fast-check';
import { anyCell, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { query, scenarios } from '../../verbs/parts.ts';
import { regionsOf, request, rightsOf, type Right } from '../../verbs/windows.ts';

/** Bytes from the beginning of a page to that of the region, and from there back to the request. */
const inPage = 2048;
const distances = [8, 64] as const;

const before: Grid<[Right, (typeof distances)[number]]> = {
  name: 'request for bytes in front of a region that begins within a page, and how far',
  cells: (profile) => pairs(rightsOf(profile), distances),
};

export const beforeRegions: SuiteProperty = {
  id: 'verbs/before-regions',
  suite: 'verbs',
  requires: ['iova-in-page'],
  says: 'What lies in front of a region in the page that it begins in is no part of it.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      ['RC'],
      fc.record({ cell: anyCell(before, profile), used: fc.boolean() }),
      (c, { cell: [right, distance], used }) => {
        const [region] = regionsOf(profile, c).slice(1);
        const at = (offset: number) =>
          request(right, offset).map((step) =>
            step.do === 'inject'
              ? { ...step, packet: { ...step.packet, target: { region: 0, offset, length: 8 } } }
              : step,
          );
        return {
          regions: region === undefined ? [] : [{ ...region, iova: String((7n << 32n) + BigInt(inPage)) }],
          steps: [...(used ? at(0) : []), ...at(-distance), query],
        };
      },
    ),
  grids: [before],
  aims: ['rc-remote-access-denied'],
};
