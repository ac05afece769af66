import type { Profile } from '../../../adapters/adapter.ts';
import type { Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';

/** Cases of a default run that a property gets at least, whatever else is more worth a case. */
export function casesAtLeast({ clock }: Pick<Profile, 'clock'>, { share = 1 }: SuiteProperty): number {
  return share * (clock === 'virtual' ? 7 : 5);
}

/** Default runs, of seeds in a row, after which the cases of a property have had every cell of one of its grids. */
export function runsToCover(grid: Grid, property: SuiteProperty, profile: Profile): number {
  const cases = grid.cells(profile).length * (grid.every ?? 1);
  return Math.ceil(cases / casesAtLeast(profile, property));
}
