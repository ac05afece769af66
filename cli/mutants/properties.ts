import { properties, type SuiteProperty } from '../../suites/index.ts';

/** Properties of one suite, or of all. */
export function propertiesOf(suite: string | undefined): readonly SuiteProperty[] {
  return properties.filter((property) => suite === undefined || property.suite === suite);
}
