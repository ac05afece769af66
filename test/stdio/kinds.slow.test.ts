import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../cli/doctor/examine.ts';
import { projectKinds } from '../../cli/init/files.ts';
import { run, temporaryFolder } from '../cli/command-line.ts';
import { root } from '../project/files.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Programs that each kind needs, and faults that its device can have, with the rule that finds each. */
const kinds: Record<(typeof projectKinds)[number], { needs: string[]; faults: [string, string][] }> = {
  node: { needs: [], faults: [] },
  python: { needs: ['python3'], faults: [] },
  c: {
    needs: ['make', 'cc'],
    faults: [
      ['nak-psn', 'rc-request-ahead'],
      ['duplicate-write', 'rc-memory-repeated'],
      ['silent-duplicate', 'rc-duplicate-send-write-asked'],
    ],
  },
  cpp: { needs: ['make', 'c++'], faults: [['nak-psn', 'rc-request-ahead']] },
  verilog: {
    needs: ['make', 'iverilog', 'python3'],
    faults: [
      ['nak-psn', 'rc-request-ahead'],
      ['msn-packets', 'rc-msn-counts-messages'],
    ],
  },
};

/** Words of a script of the new project. */
function words(place: string, name: string): string[] {
  const manifest: unknown = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
  const scripts: unknown =
    typeof manifest === 'object' && manifest !== null && 'scripts' in manifest ? manifest.scripts : {};
  const line: unknown = new Map<string, unknown>(Object.entries(Object(scripts))).get(name) ?? '';
  return [...String(line).matchAll(/"([^"]*)"|(\S+)/g)].map(([, a, b]) => a ?? b ?? '');
}

describe.each(projectKinds)('a project of the kind %s', (kind) => {
  const { needs, faults } = kinds[kind];
  const missing = needs.filter((program) => !hasProgram(program));
  const skipped = missing.length > 0 ? ` (skipped: no ${missing.join(', ')})` : '';
  const place = join(folder.path, kind);

  /** Runs a script of its package.json, as npm would. */
  const script = async (name: string, ...more: string[]): ReturnType<typeof run> => {
    const [program, ...args] = words(place, name);
    expect(program).toBe('rdma-conform');
    return run([...args, ...more], { cwd: place });
  };

  it.skipIf(missing.length > 0)(`passes smoke and a run as it begins${skipped}`, async () => {
    const { code, stdout } = await run(['init', place, '--kind', kind]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/npm run smoke/);
    // what npm install would do, and what runs before the scripts
    mkdirSync(join(place, 'node_modules'));
    symlinkSync(root, join(place, 'node_modules', 'rdma-conform'));
    const before = existsSync(join(place, 'Makefile')) ? ['make'] : [];
    expect([words(place, 'presmoke'), words(place, 'preconformance')]).toEqual([before, before]);
    for (const command of before) {
      const { status, stdout: built, stderr } = spawnSync(command, { cwd: place, encoding: 'utf8' });
      expect({ status, warnings: /warning/.test(built + stderr) }).toEqual({ status: 0, warnings: false });
    }
    expect(await script('smoke')).toMatchObject({ code: 0 });
    expect(await script('conformance', '--runs', '40')).toMatchObject({ code: 0 });
  });

  it.skipIf(missing.length > 0)(`takes no value that no field holds${skipped}`, async () => {
    const adapter = words(place, 'smoke')[words(place, 'smoke').indexOf('--adapter') + 1] ?? '';
    const tried = ['--suite', 'parameters', '--runs', '60', '--shrink-time', '1', '--reporter', 'tap'];
    const { stdout } = await run(['--adapter', adapter, ...tried], { cwd: place });
    expect(stdout).toMatch(/^ok \d+ - .*qp-min-rnr-timer-beyond-range/m);
    expect(stdout).not.toMatch(/^not ok .*-beyond-/m);
  });

  it.skipIf(missing.length > 0 || faults.length === 0).each(faults)(
    `finds the fault %s${skipped}`,
    async (fault, rule) => {
      const at = words(place, 'smoke').indexOf('--adapter') + 1;
      const adapter = `${words(place, 'smoke')[at]} --fault ${fault}`;
      const tried = ['--suite', 'rc-responder', '--rule', rule, '--runs', '20', '--shrink-time', '1'];
      const args = ['--adapter', adapter, ...tried];
      const { code, stdout } = await run(args, { cwd: place });
      expect(stdout).toMatch(new RegExp(`^${rule}$`, 'm'));
      expect(code).toBe(1);
    },
  );
});
