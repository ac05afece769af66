import fc from 'fast-check';
import { drawnOf } from '../../draw.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Scenario } from '../../scenario.ts';
import { sourcesOf, type Machine } from '../sources.ts';

/** Where memory begins within a page of 4096 bytes: ATOMICs keep their alignment. */
const places = [8, 64, 2048, 4088] as const;

/** Regions lie so far apart. */
const apart = 1n << 36n;

const isInline = ({ steps }: Scenario): boolean =>
  steps.some((step) => step.do === 'post_send' && step.wr.inline === true);
const isPlaced = ({ regions, requester, responder }: Scenario): boolean =>
  regions.some(({ iova, straddles }) => iova !== undefined || straddles === true) ||
  [requester, responder].some(({ lastByte }) => lastByte !== undefined);

/** The same with the memory of the device within a page: its regions, and that of its work requests. */
function within(scenario: Scenario, region: number, buffer: number): Scenario {
  if (isInline(scenario) || isPlaced(scenario)) return scenario;
  const { dut, regions } = scenario;
  return {
    ...scenario,
    ...(dut === 'responder' && {
      regions: regions.map((one, i) => ({ ...one, iova: String(apart * BigInt(i + 1) + BigInt(region)) })),
    }),
    [dut]: { ...scenario[dut], firstByte: String(apart * 64n + BigInt(buffer)) },
  };
}

const aims: Partial<Record<Machine, readonly string[]>> = {
  'rc-responder': ['rc-memory-written', 'rc-remote-access-denied', 'rc-read-executed'],
  'rc-requester': ['rc-request-payload', 'rc-memory-fetched'],
  uc: ['uc-receive-length', 'unreliable-request-payload'],
};

/** The cases of one machine, with memory that does not begin where a page does. */
export function inPages(machine: Machine): SuiteProperty {
  const sources = sourcesOf(machine);
  return {
    id: `${machine}/in-pages`,
    suite: machine,
    requires: ['iova-in-page', ...(machine === 'uc' ? (['uc'] as const) : [])],
    says: 'Memory that begins within a page is read and written where it is, from its first byte to its last, and nothing beside it.',
    arbitrary: (profile) =>
      fc
        .record({
          scenario: drawnOf(sources, profile),
          region: fc.constantFrom(...places),
          buffer: fc.constantFrom(...places),
        })
        .map(({ scenario, region, buffer }) => within(scenario, region, buffer)),
    aims: aims[machine] ?? [],
  };
}
