import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Adapter } from '../../adapters/adapter.ts';
import { referenceAdapter } from '../../adapters/reference/index.ts';
import { stdioAdapter } from '../../adapters/stdio/adapter.ts';
import type { RunResult } from '../../report/results.ts';
import { loadRules } from '../../oracle/index.ts';
import { responderScenario } from '../../suites/arbitraries/base.ts';
import {
  Executor,
  properties,
  runConformance,
  type RunOptions,
  type Scenario,
  type Step,
} from '../../suites/index.ts';
import { command, temporaryFolder } from '../cli/command-line.ts';
import { root } from '../project/files.ts';
import { profile } from '../suites/profile.ts';

const rules = loadRules();
const agent = (served: string): Adapter =>
  stdioAdapter({ command: `'${process.execPath}' '${command}' agent --adapter ${served}`, directory: root });

const python = spawnSync('python3', ['--version']).status === 0;
const responder = (flags = ''): Adapter =>
  stdioAdapter({ command: `python3 examples/python-responder/responder.py ${flags}`, directory: root });

/** The reference NIC with a fault, which logs a line at each ibv_modify_qp. */
const loggingDevice = `
  import { referenceAdapter } from 'rdma-conform/adapter';
  const sound = referenceAdapter({ mutant: 'nak-psn-of-request' });
  export default {
    ...sound,
    open: async (options) => {
      const bench = await sound.open(options);
      let log = () => {};
      const get = (verbs, name) => (...args) => {
        if (name === 'modify_qp') log('QP changed', 0);
        return verbs[name](...args);
      };
      return { ...bench, verbs: new Proxy(bench.verbs, { get }), onLog: (listener) => void (log = listener) };
    },
  };
`;

/** What a run on one device tells, without what names the device and its speed. */
async function run(
  adapter: Adapter,
  options: Partial<RunOptions>,
): Promise<Omit<RunResult, 'adapter' | 'durationMs'>> {
  const { adapter: _, durationMs: _ms, ...result } = await runConformance({ adapter, rules, ...options });
  return {
    ...result,
    failures: result.failures.map((failure) => ({ ...failure, token: '', caseFile: '' })),
  };
}

describe('the reference NIC behind a pipe', () => {
  it('gives the report that it gives without one', async () => {
    const options = { runs: 160, seed: 5 };
    const behind = await run(agent('reference'), options);
    const before = await run(referenceAdapter(), options);
    expect(behind).toEqual(before);
    expect(behind.cases).toBe(160);
    expect(behind.errors).toEqual([]);
  });

  it('is started anew when it says that it has died, which is a finding', async () => {
    const executor = await Executor.open(agent('reference:mutant=dies-of-wrong-write-length'), rules, {});
    const inject = (length: number): Step => ({
      do: 'inject',
      packet: {
        operation: 'RDMA_WRITE_ONLY',
        psn: { from: 'next', offset: 0 },
        ackReq: true,
        payload: { mtus: 0, bytes: 5 },
        target: { region: 0, offset: 0, length, rkey: 'good' },
      },
    });
    const chosen = { ip: 4, mtu: 256, startPsn: 5, srq: false, minRnrTimer: 12, maxDestRdAtomic: 4 } as const;
    const plan = (length: number): Scenario =>
      responderScenario(profile, chosen, { steps: [inject(length)] });
    const broken = async (length: number): Promise<string[]> => {
      const outcome = await executor.run(plan(length));
      return outcome.kind === 'error'
        ? [outcome.message]
        : outcome.judgement.violations.map(({ rule, observed }) => `${rule}: ${observed}`);
    };
    expect(await broken(6)).toEqual(['device-survives-frames: its firmware stops with an assertion']);
    expect(await broken(5)).toEqual([]);
    await executor.close();
  });

  it('shows its fault as well, with the same exchange', async () => {
    const options = { rule: 'rc-request-ahead', runs: 20 };
    const mutant = 'nak-psn-of-request';
    const behind = await run(agent(`reference:mutant=${mutant}`), options);
    const before = await run(referenceAdapter({ mutant }), options);
    expect(new Set(behind.failures.map(({ rule }) => rule))).toEqual(new Set(['rc-request-ahead']));
    expect(behind.failures).toEqual(before.failures);
  });

  it('has lines of its log in the ladder of what it breaks', async () => {
    const folder = temporaryFolder();
    try {
      const module = join(folder.path, 'logging.mjs');
      writeFileSync(module, loggingDevice);
      const { failures } = await run(agent(`'${module}'`), { rule: 'rc-request-ahead', runs: 20 });
      const shown = failures.find(({ rule }) => rule === 'rc-request-ahead');
      expect(shown?.ladder.some(({ text }) => text.includes('log: QP changed'))).toBe(true);
    } finally {
      folder.remove();
    }
  });

  it('is judged at both ends where it has no wire', async () => {
    const result = await run(agent('reference:wire=none'), { runs: 60 });
    expect(result.errors).toEqual([]);
    expect(result.counts.fail).toBe(0);
    expect(result.counts.pass).toBeGreaterThan(5);
  });
});

describe('a device on real time behind a pipe', () => {
  it('answers several cases at a time', async () => {
    const tried = properties.filter(({ id }) => id === 'rc-responder/send' || id === 'rc-responder/read');
    const result = await run(agent('test/stdio/real-device.ts'), { runs: 30, properties: tried });
    expect(result.errors).toEqual([]);
    expect(result.failures).toEqual([]);
    expect(result.cases).toBe(30);
    expect(result.packets).toBeGreaterThan(60);
  });
});

describe(`a device in Python${python ? '' : ' (skipped: there is no python3)'}`, () => {
  const suite = { suite: 'rc-responder', seed: 3 };

  it.skipIf(!python)('keeps the rules of a responder', async () => {
    const result = await run(responder(), { ...suite, runs: 120 });
    expect(result.errors).toEqual([]);
    expect(result.failures).toEqual([]);
    expect(result.counts.pass).toBeGreaterThan(80);
  });

  it.skipIf(!python).each([
    ['nak-psn', 'rc-request-ahead'],
    ['duplicate-write', 'rc-memory-repeated'],
    ['silent-duplicate', 'rc-duplicate-send-write-asked'],
  ])('is caught with the fault %s', async (fault, rule) => {
    const result = await run(responder(`--fault ${fault}`), { ...suite, rule, runs: 150 });
    expect(new Set(result.failures.map((failure) => failure.rule))).toEqual(new Set([rule]));
  });
});

describe('a process beyond a pipe', () => {
  it('ends when the adapter is closed, and is begun again when it is needed', async () => {
    const adapter = agent('reference');
    await expect(adapter.describe()).resolves.toMatchObject({ name: 'reference', clock: 'virtual' });
    await adapter.close?.();
    const bench = await adapter.open({});
    await expect(bench.verbs.alloc_pd()).resolves.toBeGreaterThan(0);
    await adapter.close?.();
    await expect(bench.verbs.alloc_pd()).rejects.toMatchObject({ name: 'AdapterBroken' });
    expect(bench.failure?.()).toMatchObject({ name: 'AdapterBroken' });
  });

  it('is as new for each bench', async () => {
    const adapter = agent('reference');
    const first = await adapter.open({});
    const pd = await first.verbs.alloc_pd();
    await first.clock.sleep(1e6);
    await first.close();
    const second = await adapter.open({});
    expect(second.clock.now()).toBe(0);
    await expect(second.verbs.dealloc_pd(pd)).rejects.toMatchObject({ name: 'VerbsError', errno: 22 });
    await second.close();
    await adapter.close?.();
  });

  it('is unavailable where the device that it serves is', async () => {
    const served = agent('verbs:no-such-device-of-rdma-conform');
    await expect(served.describe()).rejects.toMatchObject({ name: 'AdapterUnavailable' });
  });

  it('serves two benches at once, apart from each other', async () => {
    const adapter = agent('reference');
    const [a, b] = [await adapter.open({}), await adapter.open({})];
    const pd = await a.verbs.alloc_pd();
    await expect(b.verbs.dealloc_pd(pd)).rejects.toMatchObject({ errno: 22 });
    await Promise.all([a.close(), b.close()]);
    await adapter.close?.();
  });
});
