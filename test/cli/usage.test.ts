import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run, runHere, temporaryFolder } from './command-line.ts';
import { root } from '../project/files.ts';

const folder = temporaryFolder();
const files: Record<string, string> = {
  'profile.ts': "export default { name: 'p', describe: async () => ({}), open: async () => ({}) };\n",
  'bench.js':
    "import { referenceAdapter } from 'rdma-conform/adapter'; const r = referenceAdapter();\n" +
    "export default { name: 'b', describe: () => r.describe(), open: async (o) => ({ ...(await r.open(o)), dut: undefined }) };\n",
  'nothing.js':
    "import { referenceAdapter } from 'rdma-conform/adapter'; const r = referenceAdapter();\n" +
    "export default { name: 'n', describe: () => r.describe(), open: async () => {} };\n",
  'known-day.yaml': '- rule: rc-request-ahead\n  adapter: reference\n  reason: none\n  expires: 2026-02-31\n',
  'config.txt': 'seed: 1\n',
  'utf-16.json': '\uFEFF{}',
  'trace.ndjson': '{"trace":1}\n',
  'capture.pcap': '\u000a\u000d\u000d\u000a',
  'throws.ts': "throw new Error('the bench is on fire\\nand so on');\n",
  'syntax.ts': 'export default {\n',
  'empty.ts': 'export const name = 1;\n',
  'half.ts': "export default { name: 'half', describe() {} };\n",
  'known-syntax.yaml': '- rule: [\n',
  'known-rule.yaml': '- rule: rc-request-ahed\n  adapter: reference\n  reason: none\n',
  'damaged-case.json': '{"version": 1,',
  'report-of-a-run.json': '{"schema": "rdma-conform/results/1"}',
  'rules/none.yaml': '',
  'spec/machines/toy/machine.yaml': 'facts: [\n',
};

beforeAll(() => {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, name.startsWith('utf-16') ? 'utf16le' : 'utf8');
  }
});
afterAll(() => {
  folder.remove();
});

// What is typed, the exit code, and a word that the one line on stderr must have.
const mistakes: [string, number, RegExp][] = [
  ['--adapter nonesuch', 64, /unknown adapter "nonesuch"; there are: reference, rxe, verbs/],
  ['--adapter referense', 64, /did you mean "reference"\?/],
  ['--adapter reference:mutant=none', 64, /unknown mutant "none"/],
  ['--adapter reference:colour=red', 64, /unknown parameter of adapter reference "colour"/],
  ['--adapter reference:mutant', 64, /write reference:NAME=VALUE/],
  ['--adapter rxe:kernel=2.4', 64, /unknown kernel "2\.4"/],
  // a path behind an adapter's name is no module
  ['--adapter rxe:kernel=/no/such/kernel', 69, /^rdma-conform: rxe: /],
  ['--adapter rxe:kernel=../no-such-tree', 69, /^rdma-conform: rxe: /],
  ['--adapter verbs:mlx5_0,netdev=a/b --runs 1', 69, /^rdma-conform: verbs/],
  ['--adapter rxe:wire=some', 64, /unknown wire "some"/],
  ['--adapter rxe:6.12', 64, /write rxe:NAME=VALUE, not "6\.12"/],
  ['--adapter verbs', 64, /write verbs:DEVICE/],
  ['--adapter verbs:', 64, /write verbs:DEVICE/],
  [
    '--adapter verbs:mlx5_0,netdv=eth1',
    64,
    /unknown parameter of adapter verbs "netdv"; did you mean "netdev"/,
  ],
  ['--adapter verbs:mlx5_0,peer=10.0.0.2', 64, /only with netdev/],
  ['--adapter verbs:mlx5_0,netdev=eth1,peer=fd00::1', 64, /peer takes an IPv4 address/],
  ['--adapter verbs:mlx5_0,netdev=eth1,min-timeout=40', 64, /min-timeout takes .* not "40"/],
  ['--adapter verbs:nonesuch0', 69, /verbs: /],
  ['--adapter ./missing.ts', 64, /missing\.ts: there is no such file/],
  ['--adapter ./throws.ts', 70, /throws\.ts: the bench is on fire and so on/],
  ['--adapter ./syntax.ts', 70, /syntax\.ts: /],
  ['--adapter ./empty.ts', 64, /has no default export/],
  ['--adapter ./half.ts', 64, /without open\(\)/],
  ['--adapter reference:mutant=nak-per-packet,mutant=nak-msn-zero', 64, /mutant= is given twice/],
  ['--adapter ./rules/../rules', 64, /it is no file/],
  ['--adapter ./profile.ts', 70, /profile\.ts: describe\(\): profile\.name is missing/],
  ['--known known-day.yaml', 78, /:4:12: "expires" must be a date such as 2030-01-31, not "2026-02-31"/],
  ['--config config.txt', 64, /config\.txt: its name must end in \.json, \.ts or \.js/],
  ['--config rules', 64, /rules: it is no file/],
  ['diff utf-16.json utf-16.json', 64, /cannot be read: it is UTF-16; save it as UTF-8/],
  ['check trace.ndjson', 64, /neither pcap nor pcapng .*; a recorded trace is judged by "judge"/],
  ['judge capture.pcap', 64, /capture\.pcap is a capture; "check" judges it/],
  ['replay rules', 64, /rules: it is no file/],
  ['--suite ud,uc', 64, /unknown suite "ud,uc".*; several suites are several flags: --suite A --suite B/],
  ['--rule a,b', 64, /several rules are several flags/],
  ['rules lint known-day.yaml', 64, /known-day\.yaml: it is no folder/],
  ['--rule rc-request-ahed', 64, /unknown rule "rc-request-ahed"; did you mean "rc-request-ahead"\?/],
  ['--suite nonesuch', 64, /unknown suite "nonesuch"/],
  ['--level shall', 64, /unknown level "shall"/],
  ['--seed seven', 64, /--seed takes a whole number .* not "seven"/],
  ['--seed -1', 64, /--seed takes a whole number from 0 to \d+, not "-1"/],
  ['--seed 1 --seed 2', 64, /--seed is given twice/],
  [
    '--time-limit -1',
    64,
    /--time-limit takes a duration greater than 0, such as 90, 90s, 15m or 2h, not "-1"/,
  ],
  ['--time-limit 15min', 64, /--time-limit takes a duration .* not "15min"/],
  ['--shrink-time 0s', 64, /--shrink-time takes a duration .* not "0s"/],
  ['smoke --time-limit 3d', 64, /--time-limit takes a duration .* not "3d"/],
  ['campaign night --time-limit h', 64, /--time-limit takes a duration .* not "h"/],
  ['--rule rc-request-ahead --rule rc-nonesuch', 64, /unknown rule "rc-nonesuch"/],
  ['--rule rc-request-ahead --level may', 64, /rc-request-ahead is a must, which --level may leaves out/],
  ['--suite ud --suite nonesuch', 64, /unknown suite "nonesuch"/],
  ['--reporter json=a --reporter html=./a', 64, /two reporters cannot write to the same file/],
  ['--runs 0', 64, /--runs takes a whole number/],
  ['--time-limit soon', 64, /--time-limit takes a duration .* not "soon"/],
  ['--jobs 0', 64, /--jobs takes a whole number from 1 to 64, not "0"/],
  ['--shard 3/2', 64, /--shard takes i\/n with 1 <= i <= n, not "3\/2"/],
  ['--reporter petty', 64, /unknown reporter "petty"; did you mean "pretty"\?/],
  ['--reporter json --reporter junit', 64, /only one reporter can write to stdout/],
  ['--known missing.yaml', 64, /missing\.yaml cannot be read: there is no such file$/m],
  ['--known rules', 64, /: rules cannot be read: it is a folder$/m],
  ['report rules', 64, /rules cannot be read: it is a folder$/m],
  ['init half.ts/x', 64, /cannot be written: a part of its path is no folder/],
  ['rules lint rules', 64, /rules has no machines; give the folder that contains machines/],
  ['--known known-syntax.yaml', 78, /known-syntax\.yaml:\d+:\d+: /],
  ['--known known-rule.yaml', 78, /known-rule\.yaml:1:9: unknown rule "rc-request-ahed"; did you mean/],
  ['--bogus', 64, /unknown flag "--bogus"/],
  ['frobnicate', 64, /unknown command "frobnicate"/],
  ['docter', 64, /unknown command "docter"; did you mean "doctor"/],
  ['run extra', 64, /run does not take "extra"/],
  ['check', 64, /check needs FILE\.\.\.; usage: rdma-conform check FILE\.\.\. \[flags\]/],
  ['--adapter ./damaged-case.json', 64, /damaged-case\.json is none: its name must end in/],
  ['help chekc', 64, /unknown command "chekc"; did you mean "check"/],
  ['replay', 64, /replay needs TOKEN\|FILE/],
  ['replay nonsense', 64, /nonsense/],
  ['replay missing.json', 64, /missing\.json/],
  ['replay damaged-case.json', 64, /damaged-case\.json/],
  [
    'replay report-of-a-run.json',
    64,
    /it is no case, but rdma-conform\/results\/1, whose findings name their token/,
  ],
  ['explain nothing-like-it', 64, /it takes a status, event, NAK, opcode, state, rule/],
  ['rules show zzzzzz', 64, /unknown rule "zzzzzz"; "rdma-conform rules" lists them/],
  ['rules show rc-nonesuch-at-all', 64, /unknown rule "rc-nonesuch-at-all"/],
  ['rules lint missing', 64, /there is no such folder/],
  ['rules --html trace.ndjson', 64, /trace\.ndjson cannot be written: a part of its path is no folder/],
  ['rules flips --machine nonesuch', 64, /unknown machine "nonesuch"/],
  ['rules flips --minutes 3', 64, /--minutes says how long --search takes; give both/],
  ['rules flips --search no/where.json', 64, /no\/where\.json cannot be written/],
  ['rules frob', 64, /unknown action of rules "frob"/],
];

describe('bad input', () => {
  it.concurrent.each(mistakes)('%s: %i', async (line, code, message) => {
    const finished = await runHere(line.split(' '), { cwd: folder.path });
    expect(finished).toMatchObject({ code, stdout: '' });
    expect(finished.stderr).toMatch(/^rdma-conform: [^\n]+\n$/);
    expect(finished.stderr).toMatch(message);
  });

  // as a variable of the shell that was not set gives it: a folder would be the working directory
  it.each([
    [['init', ''], /init needs \[DIR\]; what was given is empty/],
    [['explain', ' '], /explain needs WORD; what was given is empty/],
    [['vectors', ''], /vectors needs DIR/],
    [['rules', '--html', ''], /--html needs a value; what was given is empty/],
    [['--runs', '1', '--trace', ''], /--trace needs a value/],
    [['--reporter', ''], /--reporter needs a value/],
  ])('refuses what is empty: %j', async (line, message) => {
    const finished = await runHere(line, { cwd: folder.path });
    expect(finished).toMatchObject({ code: 64, stdout: '' });
    expect(finished.stderr).toMatch(message);
    expect(existsSync(join(folder.path, 'index.html'))).toBe(false);
  });

  it.each([
    ['bench.js', 'bench.dut is missing'],
    ['nothing.js', 'it gave nothing'],
  ])('names what a module does not give: %s', async (module, told) => {
    const { code, stderr } = await runHere(['--adapter', `./${module}`, '--runs', '1'], {
      cwd: folder.path,
    });
    expect(code).toBe(70);
    expect(stderr).toContain(`adapter module ./${module}: open(): ${told}`);
  });

  it('names file, line and column of a mistake in the rules', async () => {
    const finished = await run(['rules', 'lint', 'spec'], { cwd: folder.path });
    expect(finished.code).toBe(78);
    expect(finished.stdout).toMatch(/^spec\/machines\/toy\/machine\.yaml:\d+:\d+: /);
  });

  it('names a fact that the oracle does not ask a table by, in a set of rules that is sound otherwise', async () => {
    const spec = join(folder.path, 'whole', 'spec');
    cpSync(join(root, 'spec'), spec, { recursive: true });
    const words = join(spec, 'machines', 'rc-responder', 'observed-words.yaml');
    const before = readFileSync(words, 'utf8');
    writeFileSync(words, before.replace('facts: [replyKind]', 'facts: [replyKind, faulted]'));
    const response = join(spec, 'machines', 'rc-responder', 'response.yaml');
    const rule = [
      '  - id: mine',
      '    says: No NAK comes behind a fault.',
      '    level: must',
      '    when: { replyKind: ack, faulted: fatal }',
      '    then: { mustMsn: completed }',
      '    covers: [rx-figure-d-nak-format]',
    ];
    writeFileSync(response, `${readFileSync(response, 'utf8')}${rule.join('\n')}\n`);
    const { code, stdout } = await runHere(['rules', 'lint', spec]);
    expect(stdout).toBe(
      'table rc-responder-response asks for faulted, and the oracle asks that table by other facts: see "A word" in CONTRIBUTING\n',
    );
    expect(code).toBe(78);
  });

  it.runIf(existsSync('/proc/self'))('ends where a file system takes no folders', async () => {
    const finished = await run(['init', '/proc/none'], { cwd: folder.path });
    expect(finished).toMatchObject({ code: 64, stdout: '' });
    expect(finished.stderr).toMatch(/^rdma-conform: \/proc\/none cannot be written: [^\n]+\n$/);
  });

  it('shows a stack trace only when asked for', async () => {
    const args = ['--adapter', './throws.ts'];
    const finished = await run(args, { cwd: folder.path, env: { RDMA_CONFORM_DEBUG: '1' } });
    expect(finished.code).toBe(70);
    expect(finished.stderr).toMatch(/\n {4}at .*throws\.ts/);
  });
});

describe('what needs no device', () => {
  it.concurrent.each([
    ['--help'],
    ['check --help'],
    ['help'],
    ['help check'],
    ['-v'],
    ['--version'],
    ['rules'],
    ['rules lint'],
  ])('%s: 0', async (line) => {
    const finished = await runHere(line.split(' '));
    expect(finished).toMatchObject({ code: 0, stderr: '' });
    expect(finished.stdout).not.toBe('');
  });

  it('prints no colour into a pipe, or where NO_COLOR forbids it', async () => {
    // oxlint-disable-next-line no-control-regex -- escapes are what is looked for
    const escape = /\u001b/;
    expect((await run(['rules'])).stdout).not.toMatch(escape);
    expect((await run(['rules'], { env: { FORCE_COLOR: '1' } })).stdout).toMatch(escape);
    expect((await run(['rules'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })).stdout).not.toMatch(escape);
    const forced = { env: { FORCE_COLOR: '1' } };
    expect((await run(['rules', '--no-color'], forced)).stdout).not.toMatch(escape);
  });
});
