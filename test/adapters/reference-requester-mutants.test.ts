import { describe, expect, it } from 'vitest';
import { mutants, type MutantId } from '../../adapters/reference/index.ts';
import { counters } from '../../adapters/reference/mutants/counters.ts';
import { failures } from '../../adapters/reference/mutants/failures.ts';
import { migration } from '../../adapters/reference/mutants/migration.ts';
import { responses } from '../../adapters/reference/mutants/responses.ts';
import { retransmission } from '../../adapters/reference/mutants/retransmission.ts';
import { sending } from '../../adapters/reference/mutants/sending.ts';
import { mutantSettings } from '../../adapters/reference/mutants/settings.ts';
import { timers } from '../../adapters/reference/mutants/timers.ts';
import { scripts, type Script } from './requester-scripts.ts';
import { scriptedRequester } from './scripted-requester.ts';

/** Everything that can be seen of a device in one exchange. */
async function seen({ options, run }: Script, config: object, mutant?: MutantId): Promise<string> {
  const r = await scriptedRequester({ ...options, config, ...(mutant === undefined ? {} : { mutant }) });
  await run(r);
  const frames = r.sent.map(({ at, packet }) => `${at} ${Buffer.from(packet.frame).toString('hex')}`);
  const memory = Buffer.from(await r.side.verbs.read_memory(r.side.mr.mr, 0, 32768)).toString('base64');
  return JSON.stringify([frames, await r.completions(), r.events, await r.state(), memory]);
}

const requesterMutants = [
  ...timers,
  ...retransmission,
  ...counters,
  ...responses,
  ...failures,
  ...sending,
  ...migration,
].map(({ id }) => id);

describe('mutants of the requester', () => {
  it.each(requesterMutants)('%s behaves otherwise than the sound device in some exchange', async (id) => {
    const config = mutantSettings[id] ?? {};
    const telling: string[] = [];
    for (const script of scripts) {
      if ((await seen(script, config)) !== (await seen(script, config, id))) telling.push(script.name);
    }
    expect(telling).not.toEqual([]);
  });

  it('leave the others alone: a device without fault does the same twice', async () => {
    for (const script of scripts) expect(await seen(script, {})).toBe(await seen(script, {}));
  });

  it('are those of the device', () => {
    const ids: string[] = mutants.map(({ id }) => id);
    expect(requesterMutants.filter((id) => !ids.includes(id))).toEqual([]);
  });
});
