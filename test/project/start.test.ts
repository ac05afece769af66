import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { builtFile } from '../../spec/load.ts';

// says at its end whether the package of that name was loaded, as a CommonJS module is
const tells = (name: string): string =>
  'data:text/javascript,import m from "node:module";process.on("exit",()=>{' +
  `const loaded=Object.keys(m._cache).some((p)=>p.includes("node_modules/${name}/"));` +
  'process.stderr.write("loaded "+loaded)})';

function loads(name: string, ...args: string[]): string | undefined {
  const command = ['--import', tells(name), builtFile('cli/main.js'), ...args];
  const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  expect(status, stderr).toBeLessThanOrEqual(1);
  return /loaded (\w+)$/.exec(stderr)?.[1];
}

it('a command that reads no YAML does not load its parser', () => {
  expect(loads('yaml', 'check', 'examples/captures/msn-counts-packets.pcap')).toBe('false');
  expect(loads('yaml', 'rules', 'lint')).toBe('true');
});
