import { properties, type SuiteProperty } from '../../suites/index.ts';

/** Properties of some suites, or of all. */
export function propertiesOf(suites: readonly string[] | undefined): readonly SuiteProperty[] {
  return properties.filter((property) => suites?.includes(property.suite) ?? true);
}
