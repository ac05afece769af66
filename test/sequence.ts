import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** The files that take longest, a minute or more but for the last, in that order. */
const long = [
  'stdio/kinds.slow',
  'suites/sound.slow',
  'suites/latitude.slow',
  'library/packed.slow',
  'cli/mutants.slow',
  'stdio/misbehaving',
];

function place(file: string): number {
  const found = long.findIndex((name) => file.endsWith(`/test/${name}.test.ts`));
  return found === -1 ? long.length : found;
}

/** Long files come first: a long one at the end would have all cores but one wait for it. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is no array's
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => place(a.moduleId) - place(b.moduleId));
  }
}
