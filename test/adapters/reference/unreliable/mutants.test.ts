import { describe, expect, it } from 'vitest';
import type { MutantId } from '../../../../adapters/reference/index.ts';
import { mutantSettings } from '../../../../adapters/reference/mutants/settings.ts';
import { loadRules } from '../../../../oracle/index.ts';
import { loadMutants } from '../../../../suites/mutants/index.ts';
import { lone } from './pair.ts';
import { scripts, type Script } from './unreliable-scripts.ts';

/** Everything that can be seen of a device in one exchange. */
async function seen({ type, options, run }: Script, config: object, mutant?: MutantId): Promise<string> {
  const side = await lone(type, { ...options, config, ...(mutant !== undefined && { mutant }) });
  await run(side);
  const completions = await side.settle();
  const frames = side.frames.map((frame) => Buffer.from(frame).toString('hex'));
  const memory = await side.verbs.read_memory(side.mr.mr, -64, 2048);
  const text = Buffer.from(memory).toString('base64');
  return JSON.stringify([frames, completions, side.events, await side.state(), text]);
}

const unreliableMutants = loadMutants(loadRules())
  .filter(({ family }) => family.startsWith('unreliable/'))
  .map(({ id }) => id);

describe('mutants of UC and UD', () => {
  it.each(unreliableMutants)('%s behaves otherwise than the sound device in some exchange', async (id) => {
    const config = mutantSettings[id] ?? {};
    const telling: string[] = [];
    for (const script of scripts) {
      if ((await seen(script, config)) !== (await seen(script, config, id))) telling.push(script.name);
    }
    expect(telling).not.toEqual([]);
  });

  it('are all found in spec/mutants/', () => {
    expect(unreliableMutants.length).toBeGreaterThan(50);
  });

  it('leave the others alone: a device without fault does the same twice', async () => {
    for (const script of scripts) expect(await seen(script, {})).toBe(await seen(script, {}));
  });
});
