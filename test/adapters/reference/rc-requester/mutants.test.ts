import { describe, expect, it } from 'vitest';
import type { MutantId } from '../../../../adapters/reference/index.ts';
import { mutantSettings } from '../../../../adapters/reference/mutants/settings.ts';
import { loadRules } from '../../../../oracle/index.ts';
import { loadMutants } from '../../../../suites/mutants/index.ts';
import { scripts } from './requester-scripts.ts';
import type { Script } from './script.ts';
import { scriptedRequester } from './scripted-requester.ts';

/** Everything that can be seen of a device in one exchange. */
async function seen({ options, run }: Script, config: object, mutant?: MutantId): Promise<string> {
  const r = await scriptedRequester({ ...options, config, ...(mutant === undefined ? {} : { mutant }) });
  await run(r);
  const frames = r.sent.map(({ at, packet }) => `${at} ${Buffer.from(packet.frame).toString('hex')}`);
  const memory = Buffer.from(await r.side.verbs.read_memory(r.side.mr.mr, 0, 32768)).toString('base64');
  return JSON.stringify([frames, await r.completions(), r.events, await r.state(), memory]);
}

const requesterMutants = loadMutants(loadRules())
  .filter(({ family }) => family.startsWith('rc-requester/') || family === 'path-migration')
  .map(({ id }) => id);

describe('mutants of the requester', () => {
  it.each(requesterMutants)('%s behaves otherwise than the sound device in some exchange', async (id) => {
    const config = mutantSettings[id] ?? {};
    const telling: string[] = [];
    for (const script of scripts) {
      if ((await seen(script, config)) !== (await seen(script, config, id))) telling.push(script.name);
    }
    expect(telling).not.toEqual([]);
  });

  it('are all found in spec/mutants/', () => {
    expect(requesterMutants.length).toBeGreaterThan(100);
  });

  it('leave the others alone: a device without fault does the same twice', async () => {
    for (const script of scripts) expect(await seen(script, {})).toBe(await seen(script, {}));
  });
});
