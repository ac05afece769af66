import { atomicBytes } from '../../../spec/constants.ts';
import type { Packet } from '../../../wire/packet.ts';
import { addressees, headerText } from '../../device/packet/header.ts';
import type { Difference } from '../../device/packet/header.ts';
import { otherByteAt, wrongByte } from '../../device/queues/posted-payload.ts';
import { operandsDue } from '../../device/queues/request-target.ts';
import { requestOperation } from '../../device/queues/send-queue.ts';
import { ofRule } from '../../rulebook/outcome.ts';
import type { When } from '../../spot.ts';
import type { OooBook } from '../registers.ts';
import type { RequesterEvent } from './event.ts';
import type { Sender } from './send-queue.ts';
import type { SentWork } from './work.ts';

/** A request packet of the device, the part of its work request that it should be. */
interface SentPacket {
  sender: Sender;
  work: SentWork;
  event: RequesterEvent;
  packet: Packet;
}

/** How a packet differs from a demand. `undefined`: it does not, or the machine itself decides it. */
const texts: Readonly<Record<string, (sent: SentPacket, word: string) => Difference | undefined>> = {
  mustHeader: ({ sender, packet }) => headerText(sender.qp, packet),
  mustAddressee: ({ sender: { qp }, packet }) => addressees(qp.peerQpNumber, qp.peerAddress, packet),
  mustOpcode: opcodeText,
  mustSegment: ({ event, packet, sender: { registers } }) =>
    numbers('payload length', registers.number('segment', event), packet.payloadLength),
  mustReceiveNumber: ({ event, work }, word) =>
    numbers('recv_WQE_SN', word === 'absent' ? -1 : work.receiveNumber, event.number.receive),
  mustReadNumber: ({ event, work }, word) =>
    numbers('read_WQE_SN', word === 'absent' ? -1 : work.readNumber, event.number.read),
  mustOffset: ({ event, sender: { registers } }) =>
    numbers('offset', registers.number('offset', event), event.number.offset),
  mustRange: rangeText,
  mustPayload: checkPayload,
  mustImmData: ({ event, work, packet }) =>
    numbers('immediate data', event.opcode.immediate ? work.imm_data : -1, packet.immediate),
  mustInvalidate: ({ work, packet }) =>
    numbers('R_Key to invalidate', work.invalidates ?? -1, packet.invalidateRkey),
  mustSolicit: ({ work, packet }) => ({
    expected: `solicited event bit ${Number(work.solicited)}`,
    observed: `${Number(packet.solicited)}`,
  }),
};

const textsOf = ofRule(texts);

/** What every packet of a work request must hold. A wrong opcode leaves nothing else to compare but the header. */
export function judgePacket(book: OooBook, sent: SentPacket, when: When): void {
  const { sender, event } = sent;
  const { registers } = sender;
  const rules = book.decide('requester-packet', registers.facts('requester-packet', event));
  const asPosted = registers.is('opcodeAsPosted', event);
  for (const rule of rules)
    for (const { key, word, kept: text } of textsOf(rule)) {
      const apart = key === 'mustOpcode' || key === 'mustHeader' || key === 'mustAddressee';
      if (!asPosted && !apart) continue;
      const [outcome = {}] = rule.outcomes;
      const found = registers.holds(key, outcome, event) === true ? undefined : text(sent, word);
      if (found !== undefined) book.violate(rule, when, found.expected, found.observed);
    }
}

/** Of a number; -1 or undefined: there is none. */
function numbers(name: string, want: number, seen = -1): Difference {
  const show = (n: number): string => (n < 0 ? `no ${name}` : `${name} ${n}`);
  return { expected: show(want), observed: show(seen) };
}

function opcodeText({ work, event: { opcode }, packet: { info, opcode: byte } }: SentPacket): Difference {
  return {
    expected: `ORC_${requestOperation(work.posted, opcode.starts, opcode.ends)}`,
    observed: info?.name ?? `opcode 0x${byte.toString(16)}`,
  };
}

function rangeText({ work: { posted, wr, kind, length }, packet }: SentPacket): Difference {
  const { reth, atomicEth } = packet;
  const words = (va: bigint, key: number, bytes: number, more = ''): string =>
    `${bytes} bytes at 0x${va.toString(16)} with R_Key 0x${key.toString(16)}${more}`;
  const swaps = wr.opcode === 'IBV_WR_ATOMIC_CMP_AND_SWP';
  const operands = ({ compare, swapOrAdd }: { compare: bigint; swapOrAdd: bigint }): string =>
    swaps ? `, compare ${compare}, swap ${swapOrAdd}` : `, add ${swapOrAdd}`;
  const more = kind === 'atomic' ? operands(operandsDue(posted, packet)) : '';
  const expected = words(wr.remote_addr ?? 0n, wr.rkey ?? 0, length, more);
  if (kind !== 'atomic')
    return { expected, observed: reth === undefined ? 'no RETH' : words(reth.va, reth.rkey, reth.dmaLen) };
  if (atomicEth === undefined) return { expected, observed: 'no AtomicETH' };
  return { expected, observed: words(atomicEth.va, atomicEth.rkey, atomicBytes, operands(atomicEth)) };
}

function checkPayload({ sender, work, event, packet: { payload } }: SentPacket): Difference | undefined {
  const { qp, device, registers } = sender;
  const from = registers.number('offset', event);
  // a rule of its own judges a wrong length
  if (work.payloadOpen || from + payload.length > work.length) return undefined;
  const wrong = wrongByte(work.posted, qp.memory, payload, from, (region, offset, bytes) => {
    const at = bytes.findIndex(
      (byte, i) =>
        byte !== region.content[offset + i] && !device.placements.unsure(region, offset + i, Infinity),
    );
    return at < 0 ? undefined : { at, want: region.content[offset + at] ?? 0 };
  });
  return wrong && otherByteAt(from + wrong.at);
}
