// Tests that others run: titles are data, and what is thrown is the report.
/* oxlint-disable vitest/valid-title, vitest/expect-expect */
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Adapter } from '../../adapters/adapter.ts';
import { properties, type SuiteProperty } from '../../suites/index.ts';
import { checkOptions } from '../../oracle/options.ts';
import { unknownWord } from '../flags/nearest.ts';
import { Device } from './device.ts';
import { metaOf } from './meta.ts';
import { describeKinds, type DescribeOptions } from './options.ts';
import { doubtsOf, trouble } from './outcome.ts';

const minute = 60_000;

/** Properties that are asked for. Throws RangeError for a word that names none. */
function chosen({ suites, properties: ids }: DescribeOptions): readonly SuiteProperty[] {
  const known = (what: string, words: readonly string[] | undefined, among: readonly string[]): void => {
    for (const word of words ?? [])
      if (!among.includes(word)) throw new RangeError(unknownWord(what, word, among));
  };
  known('suite', suites, [...new Set(properties.map(({ suite }) => suite))]);
  known(
    'property',
    ids,
    properties.map(({ id }) => id),
  );
  return properties.filter(
    ({ id, suite }) => (suites?.includes(suite) ?? true) && (ids?.includes(id) ?? true),
  );
}

/**
 * Defines one test per property: it fails where the device breaks a MUST, with the shrunk exchange and a token that replays it;
 * it is skipped, with the reason, where the device lacks what the property needs, and where a violation was seen but not again.
 * `adapter` is an Adapter, or what `--adapter` takes, such as `rxe:kernel=6.12`. All tests of a block share one device.
 *
 * Where all properties are tried, a last test fails if a known divergence does not show although its rule was exercised.
 */
export function describeConformance(adapter: Adapter | string, options: DescribeOptions = {}): void {
  checkOptions(options, describeKinds, 'describeConformance');
  const name = typeof adapter === 'string' ? adapter : adapter.name;
  const { title = `rdma-conform: ${name}`, timeout = 10 * minute, openTimeout = 5 * minute } = options;
  const among = chosen(options);
  describe(title, () => {
    const device = new Device(adapter, options);
    beforeAll(async () => device.open(), openTimeout);
    afterAll(async () => device.close(), minute);

    for (const property of among) {
      test(property.id, { timeout }, async ({ task, signal, skip }) => {
        const why = device.hindrance(property);
        if (why !== undefined) return skip(why);
        const result = await device.run(property, signal);
        task.meta.rdmaConform = metaOf(property.id, result);
        options.onResult?.(property.id, result);
        const text = trouble(result, { adapter: name, strict: options.strict === true });
        if (text !== undefined) throw new Error(text);
        const doubts = doubtsOf(result);
        if (doubts !== undefined) skip(doubts);
      });
    }

    if (among.length < properties.length || options.known === undefined) return;
    test('known divergences show', ({ skip }) => {
      if (!device.triedAll(among)) skip('not every property was tried');
      const gone = device.unexpectedPasses();
      if (gone.length === 0) return;
      throw new Error(`no longer broken, take them off the list or find out why: ${gone.join(', ')}`);
    });
  });
}
