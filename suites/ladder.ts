import type { TraceEvent, Violation } from '../oracle/trace.ts';
import { isAbsent, type LadderLine } from '../report/results.ts';
import { describeFrame } from '../wire/frame-fault.ts';
import { addressOfGid, describe } from '../wire/index.ts';
import type { DriveResult, LogLine, WireMark } from './driver/index.ts';
import { Cast } from './ladder-cast.ts';
import { fieldsText, type Sender } from './ladder-fields.ts';
import { bytesText, callText, registrationText } from './ladder-calls.ts';
import { Repeats } from './ladder-repeats.ts';
import { SentPsns } from './ladder-sent.ts';
import { rateInUnits } from '../oracle/rate-units.ts';

/** milliseconds; shorter stalls tell a reader nothing */
const shownStall = 100;

/**
 * A trace as lines for a person: what passed between the peer and the DUT, what the wire did to packets and what the device's machine
 * logged meanwhile, the event that broke the rule marked. Set-up calls that say nothing about the exchange are left out.
 */
export function ladder(
  events: readonly TraceEvent[],
  violation: Violation | undefined,
  drive?: Pick<DriveResult, 'wire' | 'log'>,
): LadderLine[] {
  const { wire, log } = drive ?? { wire: [], log: [] };
  const peer = drive === undefined ? 'peer' : 'crafted';
  const posted = events.filter((event) => event.kind === 'call' && event.call.startsWith('post_')).length;
  const lines: LadderLine[] = [];
  const cast = new Cast();
  const repeats = new Repeats();
  const sent = new SentPsns();
  const logged = logNotes(ownLines(log, events));
  const passed = new Set<TraceEvent>();
  let next = 0;
  let nextNote = 0;
  let judged: { at: number; line: LadderLine } | undefined;
  for (const [index, event] of events.entries()) {
    const comesBefore = ({ behind, line }: Note): boolean =>
      behind === undefined ? line.t <= event.t : passed.has(behind);
    // what the wire did to a packet of the device stands with that packet, what it did to others before they come
    for (let mark = wire[next]; mark !== undefined && isBefore(mark, event); mark = wire[++next])
      markIn(lines, mark);
    for (let note = logged[nextNote]; note !== undefined && comesBefore(note); note = logged[++nextNote])
      lines.push(note.line);
    passed.add(event);
    cast.take(event);
    if (isJudgedAt(event, index, violation)) judged = { at: lines.length, line: judgedHere(violation) };
    const guilty = index === violation?.event;
    const line = lineOf(event, guilty, cast, { violation, peer, posted });
    const remark = [repeats.take(event, cast), sent.take(event, cast)].find((text) => text !== undefined);
    if (line === undefined) continue;
    const told = remark === undefined ? line : { ...line, text: `${line.text}, ${remark}` };
    lines.push(guilty ? { ...told, guilty } : told);
  }
  // where nothing follows, the end says the same
  if (judged !== undefined && lines.slice(judged.at).some(({ kind }) => isSeen(kind)))
    lines.splice(judged.at, 0, judged.line);
  for (const mark of wire.slice(next)) markIn(lines, mark);
  lines.push(...logged.slice(nextNote).map(({ line }) => line));
  return shortened(lines);
}

/** Whether what is missing was due by this event, at which the device had come to rest. */
function isJudgedAt(
  event: TraceEvent,
  index: number,
  violation: Violation | undefined,
): violation is Violation {
  if (violation === undefined || event.kind !== 'settled') return false;
  return event.t === violation.t && index > violation.event && isAbsent(violation.observed);
}

/** What comes later comes too late. */
function judgedHere({ t, observed }: Violation): LadderLine {
  return { t, kind: 'note', text: `judged here: ${observed}` };
}

const isSeen = (kind: LadderLine['kind']): boolean =>
  kind === 'to-dut' || kind === 'from-dut' || kind === 'completion' || kind === 'event';

/** Lines of the log that are shown: a warning of a kernel is followed by its registers and its stack. */
const shownLog = 8;

/**
 * Lines of the log without those that name a QP of another scenario, which ran at the same time ("rxe0: qp#4147 ..."), and without
 * those that only count lines that are not there or are about the guest.
 */
function ownLines(log: readonly LogLine[], events: readonly TraceEvent[]): LogLine[] {
  const own = new Set(
    events.flatMap((event) => (event.kind === 'call' && event.call === 'create_qp' ? [event.qp_num] : [])),
  );
  return log.filter(({ text }) => {
    if (/: \d+ callbacks suppressed$/.test(text)) return false;
    // the network interface of the guest has no speed, which is no matter of the device
    if (text.includes('speed is unknown, defaulting to')) return false;
    const named = [...text.matchAll(/\bqp#(\d+)/g)].map(([, number]) => Number(number));
    return named.length === 0 || named.some((number) => own.has(number));
  });
}

interface Note {
  line: LadderLine;
  /** the event that it came behind; `undefined`: its time alone says where */
  behind: TraceEvent | undefined;
}

/** Lines of the log, what it says several times where it says so first. */
function logNotes(log: readonly LogLine[]): Note[] {
  const said = new Map<string, LogLine & { times: number }>();
  for (const line of log) {
    const before = said.get(line.text);
    if (before === undefined) said.set(line.text, { ...line, times: 1 });
    else before.times++;
  }
  const notes = [...said.values()].map(({ t, text, times, behind }): Note => {
    const often = times === 1 ? '' : ` (${times} times until the end)`;
    return { line: { t, kind: 'note', text: `log: ${text}${often}` }, behind };
  });
  const last = notes[shownLog];
  if (last === undefined) return notes;
  const text = `log: ${notes.length - shownLog} lines more`;
  return [...notes.slice(0, shownLog), { ...last, line: { ...last.line, text } }];
}

function isBefore({ t, direction }: WireMark, event: TraceEvent): boolean {
  return direction === 'to-dut' ? t <= event.t : t < event.t;
}

/** Puts down what the wire did to a packet. */
function markIn(lines: LadderLine[], { t, direction, packet, fate }: WireMark): void {
  const frame = Buffer.from(packet.frame).toString('hex');
  const text = `${describe(packet)}: ${fate.what} by the wire`;
  const own = lines.findLastIndex((line) => line.kind === 'from-dut' && line.frame === frame);
  const line = lines[own];
  if (direction === 'from-dut' && line !== undefined) {
    lines[own] = {
      ...line,
      text: `${line.text}: ${fate.what} by the wire`,
      ...(fate.lost && { lost: true }),
    };
  } else if (fate.lost) lines.push({ t, kind: direction, text, lost: true, frame });
  else lines.push({ t, kind: 'note', text });
}

/** Longer exchanges are cut to their beginning, what surrounds the guilty line, and their end. */
const tellWhole = 60;
const around = 12;

function shortened(lines: LadderLine[]): LadderLine[] {
  if (lines.length <= tellWhole) return lines;
  const guilty = lines.findIndex((line) => line.guilty === true);
  const told = lines.map(
    (_, i) => i < around || i >= lines.length - around || (guilty >= 0 && Math.abs(i - guilty) <= around),
  );
  const kept: LadderLine[] = [];
  let left = 0;
  for (const [i, line] of lines.entries()) {
    if (told[i] !== true) left++;
    else {
      if (left > 0) kept.push({ t: line.t, kind: 'note', text: `${left} lines left out` });
      left = 0;
      kept.push(line);
    }
  }
  return kept;
}

interface About {
  violation: Violation | undefined;
  peer: Sender;
  /** work requests of the whole exchange */
  posted: number;
}

function lineOf(
  event: TraceEvent,
  guilty: boolean,
  cast: Cast,
  { violation, peer, posted }: About,
): LadderLine | undefined {
  const { t } = event;
  switch (event.kind) {
    case 'packet': {
      const frame = Buffer.from(event.packet.frame).toString('hex');
      const kind = event.direction === 'from-dut' ? 'from-dut' : 'to-dut';
      const qp = kind === 'to-dut' ? cast.numbered(event.packet.destQp) : cast.talkingTo(event.packet.destQp);
      const more = fieldsText(event.packet, violation, kind === 'to-dut' ? peer : 'dut');
      return {
        t,
        kind,
        text: `${describe(event.packet)}${more}${qp}${cast.otherAddress(event.packet, kind)}`,
        frame,
      };
    }
    case 'frame': {
      const kind = event.direction;
      return { t, kind, text: describeFrame(event.frame), frame: Buffer.from(event.frame).toString('hex') };
    }
    case 'call': {
      const text = smallCq(event, posted) ?? callText(event, cast, guilty);
      return text === undefined && !guilty ? undefined : { t, kind: 'verbs', text: text ?? event.call };
    }
    case 'call-failed':
      return {
        t,
        kind: 'verbs',
        text: `${failedText(event, cast)} failed, errno ${event.errno}${listText(event.list)}`,
      };
    case 'completion': {
      const { wr_id, status, opcode, byte_len, qp_num } = event.wc;
      const detail = status === 'IBV_WC_SUCCESS' ? ` ${opcode ?? ''} ${bytesText(byte_len ?? 0)}` : '';
      return {
        t,
        kind: 'completion',
        text: `completion${cast.numbered(qp_num)} wr_id ${wr_id} ${status}${detail}`,
      };
    }
    case 'async':
      return { t, kind: 'event', text: `${event.event.event_type}${cast.numbered(event.event.qp_num)}` };
    case 'second-context': {
      const { event_type: type, qp_num: number } = event.event;
      return { t, kind: 'event', text: `second context: ${type}${cast.numbered(number)}` };
    }
    case 'cq-event':
      return { t, kind: 'event', text: `completion event of CQ ${event.cq}` };
    case 'link':
      return { t, kind: 'event', text: `link of the port ${event.up ? 'up' : 'down'}` };
    case 'gid':
      return {
        t,
        kind: 'event',
        text: `address ${addressOfGid(event.gid)} ${event.present ? 'added' : 'removed'}`,
      };
    case 'memory':
      return guilty ? { t, kind: 'note', text: memoryText(event.mr, violation) } : undefined;
    case 'settled':
      return guilty ? { t, kind: 'note', text: 'all answers due have been waited for' } : undefined;
    case 'rate': {
      const { cause, rate, target, alpha } = event.record;
      const text = `rate ${rateInUnits(rate)} after ${cause}, target ${rateInUnits(target)}, alpha ${Number(alpha.toFixed(9))}`;
      return { t, kind: 'note', text };
    }
    case 'hop':
      return event.fate === 'forwarded' && event.ecnIn === event.ecnOut && !guilty
        ? undefined
        : {
            t,
            kind: 'note',
            text: `switch: ${event.fate}, ECN ${event.ecnIn} -> ${event.ecnOut}, ${bytesText(event.queued)} in front`,
          };
    case 'stall': {
      const ms = Math.round((event.until - t) / 1e6);
      const text = `the device or its host may have stood still for ${ms} ms`;
      return ms < shownStall ? undefined : { t, kind: 'note', text };
    }
    case 'gone':
      return { t, kind: 'event', text: `the device is gone: ${event.reason}` };
    case 'gap':
      return { t, kind: 'note', text: `lost sight: ${event.reason}` };
  }
}

/** A CQ that the exchange may fill. */
function smallCq(event: Extract<TraceEvent, { kind: 'call' }>, posted: number): string | undefined {
  return event.call === 'create_cq' && event.cqe <= posted
    ? `ibv_create_cq CQ ${event.cq}, ${event.cqe} ${event.cqe === 1 ? 'entry' : 'entries'}`
    : undefined;
}

/** What memory holds that it should not, where that is said of a byte of it. */
function memoryText(mr: number, violation: Violation | undefined): string {
  const [, byte, wanted] = /^(byte -?\d+) of .* = (\S+)/.exec(violation?.expected ?? '') ?? [];
  const read = `memory of MR ${mr} read back`;
  return byte === undefined ? read : `${read}: ${byte} is ${violation?.observed} instead of ${wanted}`;
}

/** Which of a list of work requests was refused. */
function listText(list: Extract<TraceEvent, { kind: 'call-failed' }>['list']): string {
  if (list === undefined) return '';
  const { wr_ids: ids, bad_wr: place } = list;
  return place === undefined
    ? `, bad_wr none of the list of ${ids.length}`
    : `, bad_wr ${place + 1} of the list of ${ids.length}`;
}

function failedText({ call, attempted }: Extract<TraceEvent, { kind: 'call-failed' }>, cast: Cast): string {
  if (attempted?.call === 'reg_mr') return registrationText(attempted);
  return (attempted && callText(attempted, cast, true)) ?? `ibv_${call.replace(/^ibv_/, '')}`;
}
