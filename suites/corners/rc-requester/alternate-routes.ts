import fc from 'fast-check';
import { routes } from '../../derived/surroundings/routes.ts';
import { pathMigration } from '../../path-migration/requester.ts';
import type { SuiteProperty } from '../../property.ts';
import { migrationFollowed } from '../rc-responder/migration-followed.ts';

/** Cases in which one end migrates, over paths that ask for other headers each. */
function alternateRoutes(suite: 'rc-requester' | 'rc-responder', source: SuiteProperty): SuiteProperty {
  return {
    id: `${suite}/alternate-routes`,
    suite,
    requires: ['apm', 'traffic-class'],
    says: 'Behind a migration packets have traffic class, hop limit and flow label of the alternate path, and before it those of the other.',
    arbitrary: (profile) =>
      fc
        .record({
          scenario: source.arbitrary(profile),
          route: fc.option(routes(profile), { freq: 4 }),
          alternateRoute: routes(profile),
        })
        .map(({ scenario, route, alternateRoute }) => ({
          ...scenario,
          [scenario.dut]: {
            ...scenario[scenario.dut],
            ...(route !== null && { route }),
            alternateRoute,
          },
        })),
    aims: ['route-traffic-class', 'route-hop-limit', 'route-flow-label'],
  };
}

export const requestedAlternateRoutes = alternateRoutes('rc-requester', pathMigration);
export const answeredAlternateRoutes = alternateRoutes('rc-responder', migrationFollowed);
