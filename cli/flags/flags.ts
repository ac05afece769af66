import { runsOf, type Preset } from '../../suites/runner/budget/presets.ts';

/** One flag: the command line is parsed and its help is written from these alone. */
export interface Flag {
  name: string;
  /** placeholder of its value; absent for a switch */
  value?: string;
  /** may be given several times */
  many?: boolean;
  short?: string;
  says: string;
}

/** Cases of a preset, in words. */
function casesOf(preset: Preset): string {
  return `${runsOf({ preset }, { clock: 'virtual' })}, on a real device ${runsOf({ preset }, { clock: 'real' })}`;
}

export const flags = {
  adapter: {
    name: 'adapter',
    value: 'A',
    says: 'device under test: reference, reference:mutant=ID, reference:sound=ID, rxe, rxe:kernel=6.12, rxe:kernel=stable-backports, rxe:kernel=PATH, verbs:DEVICE, stdio:COMMAND, ./mine.ts (default reference; of replay, that of the case)',
  },
  config: {
    name: 'config',
    value: 'FILE',
    says: 'file with flags of the project (default: rdma-conform.config.ts or .json of the working directory); flags that are given win',
  },
  suite: { name: 'suite', value: 'S', many: true, says: 'only properties of this suite; may be repeated' },
  rule: {
    name: 'rule',
    value: 'ID',
    many: true,
    says: 'only this rule counts, and only properties that aim at it are tried; may be repeated; a rule that was asked for and never exercised makes the run inconclusive',
  },
  checkRule: {
    name: 'rule',
    value: 'ID',
    many: true,
    says: 'report only this rule; may be repeated; a rule that was asked for and decided nothing makes the result inconclusive',
  },
  level: { name: 'level', value: 'L', says: 'only rules of this level count: must, should, may' },
  seed: { name: 'seed', value: 'N', says: 'same seed, same cases (default: 1)' },
  runs: {
    name: 'runs',
    value: 'N',
    says: `cases in all (default ${casesOf('default')}; see --preset)`,
  },
  preset: {
    name: 'preset',
    value: 'P',
    says: `default, or thorough, which takes minutes: so many cases as --runs says, or ${casesOf('thorough')}`,
  },
  rounds: {
    name: 'rounds',
    value: 'N',
    says: 'rounds of a campaign; default: until --time-limit or Ctrl-C',
  },
  timeLimit: {
    name: 'time-limit',
    value: 'T',
    says: 'stop after this time, such as 90s, 15m or 2h (a number alone: seconds); without --runs and --preset as many cases as fit',
  },
  shrinkTime: {
    name: 'shrink-time',
    value: 'T',
    says: 'time for making the case of a finding smaller, such as 10s or 2m, and as much to find out what matters in it (default 10s on a real device)',
  },
  shrink: {
    name: 'shrink',
    says: 'make the case smaller first, for --shrink-time (default 60s), and write it to a case file',
  },
  bisect: {
    name: 'bisect',
    says: 'end as git bisect run takes it: 0 the finding does not show, 1 it shows, 125 it cannot be said',
  },
  bail: { name: 'bail', says: 'stop at the first failure' },
  reporter: {
    name: 'reporter',
    value: 'NAME[=FILE]',
    many: true,
    says: 'pretty (default), html, json, ndjson, junit, tap, ctrf, sarif, markdown, known, upstream, github; to FILE or stdout; may be repeated',
  },
  html: { name: 'html', value: 'DIR', says: 'write the rules as pages for a browser into this folder' },
  annotate: {
    name: 'annotate',
    value: 'OUT',
    says: 'write the capture to OUT as pcapng, with comments on the packets that broke a rule, and on those that were sent again, with the cause',
  },
  complete: {
    name: 'complete',
    says: 'the capture was taken at the ports of the devices and has lost nothing: silence counts as well',
  },
  at: {
    name: 'at',
    value: 'IP',
    many: true,
    says: 'with --complete: it was taken at the port of this end alone (default: of every end); may be repeated',
  },
  ackTimeout: {
    name: 'timeout',
    value: 'N',
    says: 'with --complete: ACK timeout of the QPs, 4.096 us * 2^N; 0: no timer (default: any)',
  },
  ooo: {
    name: 'ooo',
    says: 'opcodes 0xc0 to 0xdf are those of out-of-order QPs, as docs/reference/out-of-order.md has them: their packets are judged, too',
  },
  deviceProfile: {
    name: 'profile',
    value: 'P',
    says: 'congestion control of the NICs: JSON with the key congestion, such as the profile of an adapter, or paper, nvidia, ns3; CNPs are then held to its interval',
  },
  known: { name: 'known', value: 'FILE', says: 'YAML file of known divergences' },
  verbose: {
    name: 'verbose',
    says: 'list every rule and property, whatever its verdict; otherwise those that need a look, and a summary',
  },
  strict: { name: 'strict', says: 'a broken SHOULD fails' },
  requireCoverage: {
    name: 'require-coverage',
    says: 'a MUST or SHOULD that was never exercised makes the run inconclusive',
  },
  jobs: {
    name: 'jobs',
    value: 'N',
    says: 'devices that cases run on at a time, each in a thread of its own (default 1): on virtual time, where the report is the same, and rxe, each in a guest of its own',
  },
  checkJobs: {
    name: 'jobs',
    value: 'N',
    says: 'threads that judge the connections, beside the one that reads (default 1: one thread does both); the report is the same',
  },
  trace: {
    name: 'trace',
    value: 'FILE',
    says: 'write the trace of each case to FILE, as NDJSON that "judge" reads',
  },
  target: {
    name: 'target',
    value: 'FILE',
    says: 'JSON of the device that the vectors are for: profile, dut, peer, firstQp, firstKey, firstAddress (default: a responder of RC over IPv4)',
  },
  vectorRuns: { name: 'runs', value: 'N', says: 'cases to write (default 200)' },
  shard: { name: 'shard', value: 'i/n', says: 'run the i-th of n parts, from 1' },
  mutant: { name: 'mutant', value: 'ID', many: true, says: 'only this mutant; may be repeated' },
  mutantRuns: {
    name: 'runs',
    value: 'N',
    says: 'cases after which a mutant counts as surviving (default 5000)',
  },
  seeds: { name: 'seeds', value: 'N', says: 'try so many seeds, from --seed on (default 1)' },
  everyRule: {
    name: 'every-rule',
    says: 'go on until each rule of a mutant was seen violated, and try those that are to survive',
  },
  machine: {
    name: 'machine',
    value: 'NAME',
    many: true,
    says: 'flips: only words of this machine (a folder of spec/machines/); may be repeated',
  },
  flipRule: {
    name: 'rule',
    value: 'ID',
    many: true,
    says: 'flips: only outcomes of this rule; may be repeated',
  },
  flipDeeper: {
    name: 'deeper',
    says: 'flips: parts of expressions as well: operands, branches, numbers inside a formula; takes minutes',
  },
  flipSearch: {
    name: 'search',
    value: 'FILE',
    says: 'flips: look for traces that show what the known ones do not, and write all witnesses to FILE',
  },
  flipMinutes: { name: 'minutes', value: 'N', says: 'flips: how long to search (default 5)' },
  rulesVerbose: {
    name: 'verbose',
    says: 'flips: say of each what noticed it, or why it is excused',
  },
  doc: {
    name: 'doc',
    value: 'D',
    many: true,
    says: 'only statements of this document (retransmission) or with this prefix (rx); may be repeated',
  },
  status: {
    name: 'status',
    value: 'S',
    many: true,
    says: 'list only statements of this status, such as open or unproved; may be repeated',
  },
  results: { name: 'results', value: 'FILE', says: 'json report of a run, which says what was exercised' },
  mutantsFile: {
    name: 'mutants',
    value: 'FILE',
    says: 'json output of "mutants", which says what was killed; without it, what is declared counts',
  },
  check: { name: 'check', says: 'fail if a statement is open or unproved, or a must rule has no mutant' },
  aimed: {
    name: 'aimed',
    says: 'try properties in turn, those that aim at the rules of a mutant more often: faster, but not what a run needs',
  },
  format: { name: 'format', value: 'F', says: 'pretty (default) or json' },
  matrixFormat: { name: 'format', value: 'F', says: 'pretty (default), markdown, html or json' },
  smokeLimit: {
    name: 'time-limit',
    value: 'T',
    says: 'give up after this time, such as 30s or 5m (default 10s; rxe 3m)',
  },
  kind: {
    name: 'kind',
    value: 'K',
    says: 'what the device is written in: node (default), python, c, cpp, verilog',
  },
  list: { name: 'list', says: 'print the properties and rules that would run, and stop' },
  help: { name: 'help', short: 'h', says: 'print this text' },
  version: { name: 'version', short: 'V', says: 'print the version' },
} as const satisfies Record<string, Flag>;

export type FlagKey = keyof typeof flags;
