import { isAbsent, type Failure, type LadderLine } from '../results.ts';

const packetText = /^((?:RC|UC|UD|ORC) (?!ACKNOWLEDGE|ATOMIC_ACK|RDMA_READ_RESPONSE)[A-Z_]+) psn (\d+)\b/;
const opcodeText = /^(opcode 0x[0-9a-f]+ \(reserved\)) psn (\d+)\b/;
const callText =
  /^ibv_(?!reg_mr|post_recv|query)\w+(?: (?:QP [A-Z] )?(?:MR \d+|IBV_QPS_\w+|(?:wr_id \d+ )?IBV_WR_\w+))?/;

/** A request in words, and its PSN. */
function requestIn({ text }: LadderLine): { name: string; psn: number } | undefined {
  const [, name, psn] = packetText.exec(text) ?? opcodeText.exec(text) ?? [];
  return name === undefined ? undefined : { name, psn: Number(psn) };
}

/** A refusal that the peer has sent: "NAK PSN sequence error". */
function refusalIn({ text }: LadderLine): string | undefined {
  return /\b(?:RNR NAK|NAK [A-Z][\w ]*? error|NAK Invalid request)\b/.exec(text)?.[0];
}

const writes = /RDMA_WRITE|ATOMIC|FETCH_ADD|COMPARE_SWAP/;

/** What the peer has sent, or software has called, last; of what memory holds, what may have written there; of a retry, also what asks for it. */
function stimulus(all: readonly LadderLine[], { expected }: Failure): string | undefined {
  const ofMemory = /^byte \d+ of (?:the )?region\b/.test(expected);
  const ofRetry = / sent again\b/.test(expected);
  const written = all.findLastIndex(({ text }) => writes.test(text));
  const lines = ofMemory && written >= 0 ? all.slice(0, written + 1) : all;
  for (const line of lines.toReversed()) {
    const name =
      line.kind === 'to-dut'
        ? (requestIn(line)?.name ?? (ofRetry ? refusalIn(line) : undefined))
        : line.kind === 'verbs'
          ? callText.exec(line.text)?.[0]
          : undefined;
    if (name !== undefined) return name.replace(/ (?:QP [A-Z] )?(?:wr_id \d+ )?(?=IBV_WR_)/, ' ');
  }
  return undefined;
}

/** The request that a response answers, or that has none. Where its PSN is none of those that it may have, the first of these counts. */
function answered(lines: readonly LadderLine[], { expected, observed }: Failure): string | undefined {
  const [, seen] = /\bpsn (\d+)\b/i.exec(isAbsent(observed) ? expected : observed) ?? [];
  const [, from, to] = /\bPSN (\d+) to (\d+)\b/.exec(expected) ?? [];
  const isOther = Number(from) <= Number(to) && (Number(seen) < Number(from) || Number(seen) > Number(to));
  const psn = isOther ? from : seen;
  const requests = lines.flatMap((line) => (line.kind === 'to-dut' ? (requestIn(line) ?? []) : []));
  const own = requests.findLast((request) => request.psn === Number(psn));
  return (own ?? requests.at(-1))?.name;
}

/** The request that the response which broke the rule carries the PSN of. */
export function answeredBy({ ladder, observed }: Failure): string | undefined {
  const [, psn] = /\bpsn (\d+)\b/.exec(observed) ?? [];
  const at = ladder.findIndex(({ guilty }) => guilty === true);
  if (psn === undefined || ladder[at]?.kind !== 'from-dut') return undefined;
  const requests = ladder
    .slice(0, at)
    .flatMap((line) => (line.kind === 'to-dut' ? (requestIn(line) ?? []) : []));
  return requests.findLast((request) => request.psn === Number(psn))?.name;
}

/** The service of the QPs, where it is not the one that is meant without saying so. */
function serviceOf({ scenario }: Failure): string {
  const service: unknown =
    typeof scenario === 'object' && scenario !== null ? Reflect.get(scenario, 'service') : undefined;
  return typeof service === 'string' ? ` on a ${service} QP` : '';
}

/** The work request whose completion is at stake. */
function workOf(failure: Failure): string | undefined {
  const { expected, observed, ladder } = failure;
  const [, id] = /\b(?:wr_id|work request) (\d+)\b/.exec(`${expected} ${observed}`) ?? [];
  if (id === undefined) return undefined;
  for (const { kind, text } of ladder) {
    if (kind !== 'verbs') continue;
    const [, opcode] = new RegExp(`^ibv_\\w+.* wr_id ${id} (IBV_WR_\\w+)`).exec(text) ?? [];
    const name = opcode ?? (text.includes(`recv wr_id ${id},`) ? 'a receive' : undefined);
    if (name !== undefined) return ` of ${name}${serviceOf(failure)}`;
  }
  return undefined;
}

function placeOf(failure: Failure): string {
  const { ladder, expected, observed } = failure;
  const at = ladder.findIndex(({ guilty }) => guilty === true);
  const guilty = ladder[at];
  const before = at < 0 ? ladder : ladder.slice(0, at + 1);
  if (/\bibv_\w+/.test(expected)) return '';
  const isResponse = guilty?.kind === 'from-dut' && requestIn(guilty) === undefined;
  if (isResponse || observed === 'no response') {
    const name = answered(before, failure);
    return name === undefined ? '' : ` in answer to ${name}`;
  }
  if (guilty?.kind === 'from-dut') {
    const name = requestIn(guilty)?.name;
    return name === undefined ? '' : ` (${name})`;
  }
  const work = workOf(failure);
  if (work !== undefined) return work;
  const name = stimulus(before, failure);
  return name === undefined ? '' : ` after ${name}`;
}

/** What a packet of the peer has to be made with. */
function craftedWith({ influences = [] }: Failure, place: string): string {
  for (const { what, is, kept } of influences) {
    const [, name] = /\((?:inject|respond) (\S+)\): defect$/.exec(what) ?? [];
    if (name === undefined || !kept.includes('none')) continue;
    return place.endsWith(` ${name}`) ? ` with ${is}` : `, where ${name} comes with ${is}`;
  }
  return '';
}

/** On what occasion a finding shows: the packet, work request or call that it is about, and what software had done with the QP. */
export function occasionOf(failure: Failure, defect: string): string {
  const place = placeOf(failure);
  const shown = /[A-Z]+_[A-Z_]+$/.exec(place)?.[0];
  const isSaid = shown !== undefined && defect.includes(shown);
  const [history = ''] = /, (?:in|after) (?:SQD|ERR|RESET)$/.exec(failure.signature ?? '') ?? [];
  const crafted = craftedWith(failure, place);
  return `${isSaid ? '' : place}${crafted}${defect.includes(history.slice(2)) ? '' : history}`;
}

interface Shown {
  readonly name: string;
  readonly findings: readonly Failure[];
}

/** The same as words that stand by themselves, in the case that shows the cause best: "in answer to RC SEND_ONLY"; nothing where there are none. */
export function seenText({ name, findings: [lead] }: Shown): string {
  if (lead === undefined) return '';
  return occasionOf(lead, name)
    .replace(/^[ ,]+/, '')
    .replace(/^\(([^)]*)\)/, '$1');
}
