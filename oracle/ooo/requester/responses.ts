import { atomicBytes } from '../../../spec/constants.ts';
import type { Packet } from '../../../wire/packet.ts';
import { spansOf } from '../memory.ts';
import type { OooInputs } from '../variables.ts';
import { openThat, RequesterEvent } from './event.ts';
import type { Sender } from './send-queue.ts';
import type { SentWork } from './work.ts';

/**
 * What a response did. `strange`: it fits nothing that was asked for, and what a device makes of it is not decided. `unsent`: it names a
 * PSN that was never sent, while nothing was to be sent, and answers nothing.
 */
export type Intake = 'nothing' | 'progress' | 'failure' | 'strange' | 'unsent';

/** What a response that reached the QP at `t` does to the send queue. */
export function takeResponse(sender: Sender, packet: Packet, t: number): Intake {
  const { registers, packets } = sender;
  const event = new RequesterEvent(sender, t, { waits: true });
  registers.do('mayBeSpent', event);
  const going = openThat(sender, 'goesAgain', t);
  const lost = new Set(openThat(sender, 'lost', t));
  const taken = take(sender, packet, t);
  const open = new Set(sender.allOpen());
  const stillLost = new Set(openThat(sender, 'lost', t));
  // a READ or ATOMIC stays open when it is acknowledged, but no longer counts as lost
  for (const psn of going)
    if (!open.has(psn) || (lost.has(psn) && !stillLost.has(psn))) packets.acknowledgedLate(psn, t);
  registers.do('rnrMayBeSpent', event);
  return taken;
}

function take(sender: Sender, packet: Packet, t: number): Intake {
  const { registers, doomed } = sender;
  const event = new RequesterEvent(sender, t, { packet });
  if (!registers.is('sound', event) || doomed !== undefined) return 'nothing';
  if (registers.is('unsolicited', event)) return registers.end === registers.postedEnd ? 'unsent' : 'strange';
  const { kind } = event.response;
  switch (kind) {
    case 'ack':
      return acknowledged(sender, event);
    case 'rnr-nak':
      return notReady(sender, event, t);
    case 'invalid-request':
    case 'remote-access-error':
    case 'remote-operational-error':
      if (registers.is('stale', event)) return 'nothing';
      acknowledge(sender, event);
      count(sender, event);
      return refuse(sender, packet, kind);
    case 'read-response':
    case 'atomic-ack':
      return answer(sender, event, kind);
    case 'sequence-nak':
    case 'reserved':
    case 'other':
      return 'strange';
  }
}

/** An ACK. What it says is held against the state of before. */
function acknowledged(sender: Sender, event: RequesterEvent): 'progress' | 'nothing' {
  const { registers } = sender;
  const progresses = registers.is('progresses', event);
  acknowledge(sender, event);
  const selected = select(sender, event);
  count(sender, event);
  if (selected && !progresses) registers.do('mayHaveProgressed', event);
  return progress(sender, event, progresses);
}

/** Everything before it is acknowledged; true if that is new. */
function acknowledge(sender: Sender, event: RequesterEvent, ready = true): boolean {
  if (!sender.registers.is('gains', event)) return false;
  sender.registers.do('acknowledged', event);
  sender.packets.forget();
  if (ready) sender.registers.do('released', event);
  return true;
}

/** A packet is acknowledged selectively; true if that is new. */
function select({ registers, packets }: Sender, event: RequesterEvent): boolean {
  if (!registers.is('selects', event)) return false;
  registers.do('selected', event);
  packets.selected.add(event.response.selected ?? -1);
  return true;
}

/** Messages are counted; true if some are new. */
function count({ registers }: Sender, event: RequesterEvent): boolean {
  if (!registers.is('counts', event)) return false;
  registers.do('counted', event);
  return true;
}

function progress({ registers }: Sender, event: RequesterEvent, ...news: boolean[]): 'progress' | 'nothing' {
  if (!news.includes(true)) return 'nothing';
  registers.do('progressed', event);
  return 'progress';
}

/** An RNR NAK: what is in front of its PSN has arrived, the rest is to be sent again after a while. */
function notReady(sender: Sender, event: RequesterEvent, t: number): Intake {
  const { registers, packets } = sender;
  const gained = acknowledge(sender, event, false);
  const after = progress(sender, event, count(sender, event), gained);
  if (registers.is('stale', event)) return after;
  registers.do('notReady', event);
  if (registers.fact('rnrLeft', event) === 'none') {
    registers.do('released', event);
    return refuse(sender, event.packet, 'rnr-retries');
  }
  packets.refuse(t);
  registers.do('waits', event);
  return after;
}

/** The packet is refused for good; what a device makes of two refusals that differ is not decided. */
function refuse({ registers }: Sender, packet: Packet, cause: OooInputs['cause']): 'failure' | 'strange' {
  registers.do('refused', { packet, cause });
  return registers.refused === packet.psn && registers.refusal === cause ? 'failure' : 'strange';
}

function answer(sender: Sender, event: RequesterEvent, kind: 'read-response' | 'atomic-ack'): Intake {
  const { packet, number } = event;
  const work = sender.find(packet.psn);
  const atomic = kind === 'atomic-ack';
  if (work === undefined || work.kind !== (atomic ? 'atomic' : 'read')) return 'strange';
  const offset = atomic ? 0 : (number.offset ?? 0);
  const data = atomic ? original(packet) : packet.payload;
  if (packet.ooeth?.readWqeSn !== work.readNumber || offset + data.length > work.length) return 'strange';
  const news = [acknowledge(sender, event), count(sender, event), place(sender, work, offset, data)];
  return progress(sender, event, ...news);
}

/** Data are placed once; true if some of them are new. */
function place({ qp, device }: Sender, work: SentWork, offset: number, data: Uint8Array): boolean {
  let news = data.length === 0 && !work.answered;
  for (let i = 0; i < data.length; i++) {
    if (work.got[offset + i] === 1) continue;
    work.got[offset + i] = 1;
    news = true;
    const spans = spansOf(qp.memory, work.wr.sg_list, offset + i, 1);
    device.placements.place(spans, data.subarray(i, i + 1), Infinity, 'fetched');
  }
  work.answered = work.got.every((byte) => byte === 1);
  return news;
}

/** The value of an ATOMIC Acknowledge as it is in the memory of a little-endian host. */
function original({ atomicOriginal = 0n }: Packet): Uint8Array {
  const bytes = Buffer.alloc(atomicBytes);
  bytes.writeBigUInt64LE(atomicOriginal);
  return bytes;
}
