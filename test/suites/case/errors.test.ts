import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Adapter } from '../../../adapters/adapter.ts';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import { readCase, replayCase, runConformance } from '../../../suites/index.ts';
import { temporaryFolder } from '../../cli/command-line.ts';

const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
});

/** The reference NIC, whose adapter fails when it is to read memory back. */
function broken(): Adapter {
  const sound = referenceAdapter();
  return {
    ...sound,
    name: 'broken',
    describe: async () => sound.describe(),
    open: async (options) => {
      const device = await sound.open(options);
      return new Proxy(device, {
        get(target, key) {
          const found: unknown = Reflect.get(target, key);
          if (key === 'verbs')
            return new Proxy(target.verbs, {
              get(verbs, name) {
                if (name === 'read_memory') throw new Error('out of range');
                const method: unknown = Reflect.get(verbs, name);
                return typeof method === 'function' ? (method.bind(verbs) as unknown) : method;
              },
            });
          return typeof found === 'function' ? (found.bind(target) as unknown) : found;
        },
      });
    },
  };
}

it('a case that ends in an error has its file, which shows the error again', async () => {
  const property = 'rc-responder/psn-walk';
  const run = { adapter: broken(), property, caseDirectory: folder.path };
  const { errors } = await runConformance({ ...run, runs: 5 });
  const [file, ...more] = readdirSync(folder.path);
  expect(more).toEqual([]);
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatch(
    new RegExp(`^${property}: .*out of range.* \\(case file ${folder.path}/${file}\\)$`),
  );
  const found = readCase(join(folder.path, file ?? ''));
  expect(found).toMatchObject({ property, adapter: 'broken' });
  expect(found.rule).toBeUndefined();
  await expect(replayCase(broken(), found)).rejects.toThrow('out of range');
  const mended = await replayCase(referenceAdapter(), found);
  expect([mended.reproduced, mended.judgement.violations]).toEqual([false, []]);
  expect((await runConformance({ ...run, runs: 0 })).errors).toHaveLength(1);
});
