import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isAbsent, type Failure, type Reproducer } from '../../report/results.ts';
import { specDirectory } from '../../spec/load.ts';
import { createEnd } from '../driver/setup/create-end.ts';
import { parseScenario } from '../case/index.ts';
import type { Scenario } from '../scenario.ts';
import { Calls } from './calls.ts';
import { exchangeOf, isJudgement, type Exchange } from './exchange.ts';
import { Inexpressible } from './inexpressible.ts';
import { packetOf } from './frame.ts';
import { CObjects } from './objects.ts';

/** The number of the far end's QP where nothing says which it had. */
const anyPeer = 0x70_0001;

function hindrance(
  { peer, beside, path, ooo, steps, regions, requester, responder }: Scenario,
  { expected, observed }: Failure,
): string | undefined {
  if (peer === 'same-device') return 'two QPs of the device talk to each other';
  if (beside !== undefined) return 'several QPs take part';
  if (path !== undefined) return 'a switch is on the way';
  if (steps.some((step) => step.do === 'resize_cq')) return 'a CQ is resized';
  if (steps.some((step) => step.do === 'destroy')) return 'objects are destroyed on the way';
  if (steps.some((step) => step.do === 'alloc_mw')) return 'a memory window is bound';
  if (steps.some((step) => step.do === 'reg_mr')) return 'memory is registered on the way';
  if (
    regions.some(({ iova }) => iova !== undefined) ||
    [requester, responder].some(({ firstByte }) => firstByte !== undefined) ||
    requester.lastByte !== undefined ||
    responder.lastByte !== undefined
  )
    return 'memory is registered at addresses of its own';
  if (/completion event/.test(`${expected} ${observed}`)) return 'completion events of a CQ are asked for';
  return ooo === true ? 'the QPs place packets out of order' : undefined;
}

function peerQpOf({ ladder }: Failure): number {
  const said = ladder.flatMap(({ text }) => /dest_qp_num (0x[0-9a-f]+|\d+)/.exec(text)?.[1] ?? [])[0];
  if (said !== undefined) return Number(said);
  const frame = ladder.find(({ kind }) => kind === 'from-dut')?.frame;
  return (frame === undefined ? undefined : packetOf(Buffer.from(frame, 'hex'))?.destQp) ?? anyPeer;
}

/**
 * Whether what did not come when it was due comes later in the exchange, and nothing was done meanwhile that may have brought it
 * about: a program that waits sees no difference.
 */
function isLate({ expected, observed, ladder }: Failure): boolean {
  const [, status] = /\b(IBV_WC_\w+) (?:for|of) /.exec(expected) ?? [];
  const [, id] = /\b(?:wr_id|work request) (\d+)/.exec(expected) ?? [];
  if (!isAbsent(observed) || status === undefined || id === undefined) return false;
  const judged = ladder.findIndex(isJudgement);
  const until =
    judged < 0
      ? -1
      : ladder.findIndex(({ kind }, i) => i > judged && (kind === 'verbs' || kind === 'to-dut'));
  return ladder
    .slice(0, until < 0 ? ladder.length : until)
    .some(({ kind, text }) => kind === 'completion' && text.includes(` wr_id ${id} ${status}`));
}

/** Nanoseconds between packets that a device sends one behind the other. */
const inOneGo = 1_000_000;

/** Whether a packet comes while the device is sending others again: a program that waits for those comes too late. */
function isRace({ ladder }: Failure): boolean {
  return ladder.some((line, i) => {
    const [before, after] = [ladder[i - 1], ladder[i + 1]];
    if (line.kind !== 'to-dut' || before?.kind !== 'from-dut' || after?.kind !== 'from-dut') return false;
    return (
      after.t - before.t < inOneGo && / again after /.test(before.text) && / again after /.test(after.text)
    );
  });
}

/** Whether it is a matter of times, which the program prints and does not judge. */
function ofTime({ expected, observed, ladder }: Failure): boolean {
  const again = ladder.some(({ guilty, text }) => guilty === true && /, again (?:after )?\d/.test(text));
  return again || /\b\d[\d.]* (?:ns|us|ms|s)\b/.test(`${expected} ${observed}`);
}

function verdict(failure: Failure, { kind, missing, dies, long }: Exchange): string[] {
  const said = (name: string, text: string): string => `printf("${name} %s\\n", ${JSON.stringify(text)});`;
  const told = ['printf("\\n");', said('expected:', failure.expected), said('observed:', failure.observed)];
  if (dies)
    return [...told, 'printf("the kernel survives: not shown here\\n");', 'close_device();', 'return 0;'];
  const memory = failure.ladder.some(({ guilty, text }) => guilty === true && text.startsWith('memory of'));
  const times = missing ? long : ofTime(failure);
  if (memory || times || isLate(failure) || isRace(failure))
    return [
      ...told,
      ...(memory ? ['for (i = 0; i < MOST && region[i].length; i++)', '\tshow_memory(i);'] : []),
      `printf("hold the ${memory ? 'memory' : 'times'} above against what is expected\\n");`,
      'close_device();',
      'return 125;',
    ];
  if (missing) return [...told, `i = missing(reported, "${kind}");`, 'close_device();', 'return i;'];
  const says =
    'printf(i ? "the defect shows, as in the report\\n" : "not shown: this is not what the report saw\\n");';
  return [
    ...told,
    `i = same(reported, "${kind}", ${kind === '' ? 1 : 0});`,
    // where a call went another way nothing can be said of what should have come of it
    ...(kind === '' || kind === 'call'
      ? [says]
      : ['if (!i && !same(reported, "call", 0))', '\ti = went_elsewhere();', 'else', `\t${says}`]),
    'close_device();',
    'return i;',
  ];
}

const indented = (lines: readonly string[]): string[] =>
  lines.map((line) => (line === '' ? '' : `\t${line}`));
const comment = (text: string): string => text.replaceAll('*/', '* /');

function heading(failure: Failure, file: string): string[] {
  return [
    '/*',
    ` * ${comment(failure.rule)}: ${comment(failure.says)}`,
    ' *',
    ` * expected: ${comment(failure.expected)}`,
    ` * observed: ${comment(failure.observed)}`,
    ' *',
    ' * It makes a soft-RoCE device on one end of a veth pair, and is the peer at the other end.',
    ` * Build: gcc -O1 -Wall -o reproducer ${file} -libverbs`,
    ' * Run:   ./reproducer, as root. It ends with 1 where the defect shows, with 0 where it does not, and with 125 where that',
    ' *        is not certain, as "git bisect run" takes it.',
    ' */',
  ];
}

let harness: string | undefined;

function harnessText(): string {
  harness ??= readFileSync(join(dirname(specDirectory), 'suites', 'reproducer', 'harness.c'), 'utf8');
  return harness;
}

/** The program for a finding on soft-RoCE; `file` is the name that it will have. */
export async function reproducerOf(failure: Failure, device: string, file: string): Promise<Reproducer> {
  if (!device.startsWith('rxe')) return { why: 'programs are written for soft-RoCE (rxe) only' };
  const scenario = parseScenario(failure.scenario);
  const why = hindrance(scenario, failure);
  if (why !== undefined) return { why };
  const objects = new CObjects();
  const end = await createEnd(objects, scenario.dut, scenario, async (make) => make(), {
    number: 0,
    objects: { ends: new Map() },
  });
  const setup = objects.taken();
  try {
    const calls = new Calls(scenario, end, peerQpOf(failure));
    const exchange = await exchangeOf(failure, objects, calls);
    const text = [
      ...heading(failure, file),
      harnessText(),
      'MAYBE static const char *const reported[] = {',
      ...exchange.reported.map((line) => `\t${JSON.stringify(line)},`),
      '\tNULL',
      '};',
      '',
      'int main(void)',
      '{',
      '\tMAYBE int i;',
      '',
      '\topen_device();',
      // as long as nobody takes what is in it, a CQ fills up
      ...(scenario.cqe === undefined ? [] : ['\thold = 1;']),
      ...indented([...setup, ...exchange.statements, ...verdict(failure, exchange)]),
      '}',
      '',
    ].join('\n');
    return { text };
  } catch (thrown) {
    if (thrown instanceof Inexpressible) return { why: thrown.message };
    throw thrown;
  }
}
