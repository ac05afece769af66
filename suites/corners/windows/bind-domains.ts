import fc from 'fast-check';
import { anyCell, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Step } from '../../scenario.ts';
import { query, scenarios, settle } from '../../verbs/parts.ts';
import { bind, deallocate, open, opening, regionsOf, rightsOf } from '../../verbs/windows.ts';

/** What is on another PD than the QP. */
const owners = ['window', 'window of type 1', 'region', 'region for a window of type 1', 'both'] as const;

const foreign: Grid<(typeof owners)[number]> = {
  name: 'what is on another PD than the QP that is to bind a window',
  cells: ({ capabilities }) =>
    owners.filter((owner) => capabilities.includes('memory-windows-1') || !owner.endsWith('type 1')),
};

export const bindDomains: SuiteProperty = {
  id: 'verbs/bind-domains',
  suite: 'verbs',
  requires: ['memory-windows'],
  says: 'A memory window is not bound where it, or its region, is on another PD than the QP.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      ['RC'],
      fc.record({
        owner: anyCell(foreign, profile),
        opened: opening(rightsOf(profile)),
        signaled: fc.boolean(),
        ends: fc.boolean(),
      }),
      (c, { owner, opened, signaled, ends }) => {
        const [region, ...others] = regionsOf(profile, c);
        const ofWindow = owner.startsWith('window') || owner === 'both';
        const allocate: Step = {
          do: 'alloc_mw',
          ...(owner.endsWith('type 1') && { type: 'IBV_MW_TYPE_1' as const }),
          ...(ofWindow && { pd: 'foreign' as const }),
        };
        const elsewhere = owner === 'both' || owner.startsWith('region');
        const regions = region === undefined ? [] : [{ ...region, ...(elsewhere && { foreignPd: true }) }];
        return {
          regions: [...regions, ...others],
          steps: [allocate, bind(open, opened, signaled), settle, ...(ends ? [deallocate] : []), query],
        };
      },
    ),
  grids: [foreign],
  aims: ['bind-foreign-domain'],
};
