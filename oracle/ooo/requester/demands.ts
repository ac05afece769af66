import { atomicBytes, opcodes } from '../../../spec/constants.ts';
import type { Packet } from '../../../wire/packet.ts';
import { wrongAddressee, wrongHeader } from '../../device/packet/header.ts';
import type { Difference } from '../../device/packet/header.ts';
import { scatter } from '../../device/memory.ts';
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

type Check = (sent: SentPacket, word: string) => Difference | undefined;

/** What is demanded of a packet, by outcome. */
const checks: Readonly<Record<string, Check>> = {
  mustHeader: ({ sender, packet }) => wrongHeader(sender.qp, packet),
  mustAddressee: ({ sender: { qp }, packet }) => wrongAddressee(qp, qp.peerAddress, packet),
  mustOpcode: checkOpcode,
  mustSegment: ({ event, packet, sender: { registers } }) =>
    difference('payload length', registers.number('segment', event), packet.payloadLength),
  mustReceiveNumber: ({ event, work }, word) =>
    difference('recv_WQE_SN', word === 'absent' ? -1 : work.receiveNumber, event.number.receive),
  mustReadNumber: ({ event, work }, word) =>
    difference('read_WQE_SN', word === 'absent' ? -1 : work.readNumber, event.number.read),
  mustOffset: ({ event, sender: { registers } }) =>
    difference('offset', registers.number('offset', event), event.number.offset),
  mustRange: checkRange,
  mustPayload: checkPayload,
  mustImmData: ({ event, work, packet }) =>
    difference(
      'immediate data',
      event.opcode.immediate ? (work.wr.imm_data ?? 0) >>> 0 : -1,
      packet.immediate,
    ),
  mustInvalidate: ({ work, packet }) =>
    difference('R_Key to invalidate', work.invalidates ?? -1, packet.invalidateRkey),
  mustSolicit: ({ work, packet }) => ({
    expected: `solicited event bit ${Number(work.solicited)}`,
    observed: `${Number(packet.solicited)}`,
  }),
};

const checksOf = ofRule(checks);

/** What every packet of a work request must hold. A wrong opcode leaves nothing else to compare but the header. */
export function judgePacket(book: OooBook, sent: SentPacket, when: When): void {
  const { sender, event } = sent;
  const rules = book.decide('requester-packet', sender.registers.facts('requester-packet', event));
  const wrong = checkOpcode(sent) !== undefined;
  for (const rule of rules)
    for (const { key, word, kept: check } of checksOf(rule)) {
      const apart = key === 'mustOpcode' || key === 'mustHeader' || key === 'mustAddressee';
      if (wrong && !apart) continue;
      const [outcome = {}] = rule.outcomes;
      const met = sender.registers.holds(key, outcome, event);
      const found = met === true ? undefined : check(sent, word);
      if (found !== undefined) book.violate(rule, when, found.expected, found.observed);
    }
}

/** Of a number; -1 or undefined: there is none. */
function difference(name: string, want: number, seen = -1): Difference | undefined {
  const show = (n: number): string => (n < 0 ? `no ${name}` : `${name} ${n}`);
  return want === seen ? undefined : { expected: show(want), observed: show(seen) };
}

function checkOpcode({ work, event: { opcode, sent }, packet }: SentPacket): Difference | undefined {
  const expected = `ORC_${requestOperation(work.posted, sent.psn === work.psn, opcode.ends)}`;
  const info = opcodes[packet.opcode];
  if (info?.name === expected) return undefined;
  return { expected, observed: info?.name ?? `opcode 0x${packet.opcode.toString(16)}` };
}

function checkRange({ work: { wr, kind, length }, packet }: SentPacket): Difference | undefined {
  const { reth, atomicEth } = packet;
  const words = (va: bigint, key: number, bytes: number, more = ''): string =>
    `${bytes} bytes at 0x${va.toString(16)} with R_Key 0x${key.toString(16)}${more}`;
  const swaps = wr.opcode === 'IBV_WR_ATOMIC_CMP_AND_SWP';
  const operands = (compare: bigint, swapOrAdd: bigint): string =>
    swaps ? `, compare ${compare}, swap ${swapOrAdd}` : `, add ${swapOrAdd}`;
  const unsigned = (n = 0n): bigint => BigInt.asUintN(64, n);
  const atomic = kind === 'atomic';
  const posted = atomic ? operands(unsigned(wr.compare_add), unsigned(swaps ? wr.swap : wr.compare_add)) : '';
  const expected = words(wr.remote_addr ?? 0n, wr.rkey ?? 0, length, posted);
  const observed = atomic
    ? atomicEth === undefined
      ? 'no AtomicETH'
      : words(atomicEth.va, atomicEth.rkey, atomicBytes, operands(atomicEth.compare, atomicEth.swapOrAdd))
    : reth === undefined
      ? 'no RETH'
      : words(reth.va, reth.rkey, reth.dmaLen);
  return expected === observed ? undefined : { expected, observed };
}

function checkPayload({ sender, work, event, packet }: SentPacket): Difference | undefined {
  const { payload } = packet;
  const { qp, device, registers } = sender;
  const from = registers.number('offset', event);
  // a rule of its own judges a wrong length
  if (work.payloadOpen || from + payload.length > work.length) return undefined;
  const { inline } = work.posted;
  const ranges =
    inline === undefined
      ? scatter(qp.memory, work.wr.sg_list, from, payload.length)
      : [{ region: { content: inline }, offset: from, length: payload.length }];
  let done = 0;
  for (const { region, offset, length } of ranges) {
    const unsure = (at: number): boolean =>
      region !== undefined && 'length' in region && device.placements.unsure(region, at, Infinity);
    const wrong = payload
      .subarray(done, done + length)
      .findIndex((byte, i) => byte !== region?.content[offset + i] && !unsure(offset + i));
    if (region !== undefined && wrong >= 0)
      return {
        expected: 'the bytes of the work request',
        observed: `another byte at ${from + done + wrong} of the message`,
      };
    done += length;
  }
  return undefined;
}
