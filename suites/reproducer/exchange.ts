import { isAbsent, type Failure, type LadderLine } from '../../report/results.ts';
import type { CObjects } from './objects.ts';
import { observed, packetOf, sendLines, type SeenRegion } from './frame.ts';
import type { Calls } from './calls.ts';
import { Inexpressible } from './inexpressible.ts';

/** The exchange of a report as statements, and what the program has to see for the defect to show. */
export interface Exchange {
  statements: string[];
  /** observations up to the guilty one; all of them where something is missing */
  reported: string[];
  /** first word of those that matter; "" for all, of which there may be no more */
  kind: string;
  /** something of that kind should come, and does not */
  missing: boolean;
  /** the device dies of it */
  dies: boolean;
  /** it is waited for longer than the program does */
  long: boolean;
}

const mostGap = 5_000_000;
/** Microseconds in which all that is to come has come. */
const leastRest = 1_000_000;
/** Microseconds between two lines that come one right after the other. */
const atOnce = 1000;

/** What has been seen of the device so far, and when the line before was. */
interface Progress {
  packets: number;
  completions: number;
  events: number;
  before: number | undefined;
}

/** Regions of the device in the order of their registration, as calls of the ladder tell them. */
export function seenRegions(lines: readonly LadderLine[]): SeenRegion[] {
  return lines.flatMap(({ kind, text }) => {
    const [, length, addr, rkey] =
      /^ibv_reg_mr MR \d+, (\d+) bytes at 0x([0-9a-f]+), rkey 0x([0-9a-f]+)/.exec(text) ?? [];
    if (kind !== 'verbs' || addr === undefined || rkey === undefined) return [];
    return [{ addr: BigInt(`0x${addr}`), length: Number(length), rkey: Number.parseInt(rkey, 16) }];
  });
}

/** The kind of what should come and never does; undefined where something else is wrong. */
function missingKind({ expected, observed }: Failure): string | undefined {
  if (!isAbsent(observed)) return undefined;
  if (/\bIBV_EVENT_/.test(expected)) return 'event';
  return /\bIBV_WC_|\bcompletion\b/.test(expected) ? 'completion' : 'packet';
}

/** The line of the moment at which it was clear that something would not come. */
export function isJudgement({ kind, text }: LadderLine): boolean {
  return kind === 'note' && text.startsWith('judged here');
}

/** Walks through the lines of the ladder of a finding. */
export async function exchangeOf(failure: Failure, objects: CObjects, calls: Calls): Promise<Exchange> {
  const { ladder } = failure;
  const regions = seenRegions(ladder);
  const absent = missingKind(failure);
  const made: Exchange = {
    statements: [],
    reported: [],
    kind: absent ?? '',
    missing: absent !== undefined,
    dies: false,
    long: false,
  };
  let rest = leastRest;
  const seen: Progress = { packets: 0, completions: 0, events: 0, before: undefined };
  let judged = false;
  const note = (text: string, guilty: boolean | undefined): void => {
    if (!judged) made.reported.push(text);
    if (guilty !== true || made.missing) return;
    judged = true;
    made.kind = text.split(' ')[0] ?? '';
  };
  let waited = '';
  const wait = (t: number): void => {
    const us = seen.before === undefined ? 0 : Math.round(Math.min(mostGap, (t - seen.before) / 1000));
    const all = `${seen.packets}, ${seen.completions}, ${seen.events}`;
    if (all !== waited || us >= atOnce) made.statements.push(`wait_for(${all}, ${us});`);
    waited = all;
  };
  let guiltyList = false;
  for (const [place, line] of ladder.entries()) {
    const { kind, text, frame, guilty } = line;
    if (made.dies || judged) break;
    switch (kind) {
      case 'note':
        if (/^\d+ lines left out$/.test(text))
          throw new Inexpressible('the exchange is too long for the report');
        // what comes behind makes no difference any more
        if (made.missing && isJudgement(line)) {
          judged = true;
          const gap = Math.ceil((line.t - (seen.before ?? line.t)) / 1000);
          made.long = gap > mostGap;
          rest = Math.max(rest, gap);
        }
        break;
      case 'event': {
        if (text.startsWith('link of the port'))
          throw new Inexpressible('the link of the port goes down and up');
        made.dies = text.startsWith('the device is gone');
        const [event] = /^IBV_EVENT_\w+/.exec(text) ?? [];
        if (event !== undefined) {
          seen.events++;
          note(`event ${event}`, guilty);
        }
        break;
      }
      case 'completion': {
        const [, id, status] = /wr_id (\d+) (IBV_WC_\w+)/.exec(text) ?? [];
        seen.completions++;
        note(`completion wr_id ${id} ${status}`, guilty);
        break;
      }
      case 'from-dut': {
        const packet = frame === undefined ? undefined : packetOf(Buffer.from(frame, 'hex'));
        if (packet === undefined) throw new Inexpressible('the device sends what is no packet');
        seen.packets++;
        note(observed(packet), guilty);
        break;
      }
      case 'to-dut': {
        if (line.lost === true) break;
        const packet = frame === undefined ? undefined : packetOf(Buffer.from(frame, 'hex'));
        if (packet === undefined) throw new Inexpressible('a frame that is no RoCEv2 packet is sent');
        wait(line.t);
        made.statements.push(...sendLines(packet, text, regions));
        break;
      }
      case 'verbs': {
        const behind = ladder.slice(place + 1).flatMap((one) => (one.kind === 'verbs' ? [one.text] : []));
        const call = await calls.take(text, objects, behind);
        if (call === undefined) break;
        if (call.beginning !== true && call.listed !== true) wait(line.t);
        made.statements.push(...objects.taken());
        guiltyList ||= guilty === true;
        if (call.seen !== undefined) {
          note(call.seen, guiltyList);
          guiltyList = false;
        }
        if (call.beginning === true) continue;
      }
    }
    seen.before = line.t;
  }
  made.statements.push(`wait_for(${seen.packets}, ${seen.completions}, ${seen.events}, ${rest});`);
  return made;
}
