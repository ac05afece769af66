import type { Packet } from '../../../wire/packet.ts';
import { psnDiff } from '../../../wire/psn.ts';
import type { FactSlot } from '../../rulebook/fact-row.ts';
import type { ExecutedRecord } from '../pending.ts';
import type { RequestView } from '../request.ts';
import type { ResponderState } from '../state.ts';

/** The fact `record`. Built in, since it searches the READs and ATOMICs that were carried out. */
export function record(request: RequestView, slot: FactSlot): void {
  const { qp, state, packet, opcode } = request;
  if (opcode.family !== 'read' && opcode.family !== 'atomic') slot.set('not-needed');
  else if (!qp.verbs && recordOf(state, packet) === undefined) slot.unsure('evicted', 'mismatch', 'kept');
  else if (!qp.verbs && mayBeForgotten(request)) slot.unsure('kept', 'evicted');
  else slot.set(recordFact(request));
}

/** Whether a responder with few resources has none left for it. What a capture does not tell is how many it has. */
function mayBeForgotten(request: RequestView): boolean {
  const { state, packet } = request;
  return recordFact(request) === 'kept' && recordOf(state, packet) !== state.records.at(-1);
}

/** The executed READ or ATOMIC that owns the PSN. */
export function recordOf(state: ResponderState, packet: Packet): ExecutedRecord | undefined {
  return state.records.find((r) => {
    const d = psnDiff(packet.psn, r.psn);
    return d >= 0 && (r.count < 0 ? d === 0 : d < r.count);
  });
}

function recordFact({
  qp,
  state,
  packet,
  opcode,
  reth,
  filled,
}: RequestView): 'kept' | 'evicted' | 'mismatch' {
  const record = recordOf(state, packet);
  if (record === undefined || record.family !== opcode.family) return 'mismatch';
  if (filled) return 'mismatch';
  const newestFirst = state.records.toReversed();
  const age = newestFirst.indexOf(record);
  if (qp.maxDestRdAtomic !== undefined && age >= qp.maxDestRdAtomic) return 'evicted';
  if (record.family === 'atomic') {
    const eth = packet.atomicEth;
    return eth?.va === record.va && eth.rkey === record.rkey && packet.opcode === record.opcode
      ? 'kept'
      : 'mismatch';
  }
  if (reth === undefined || reth.rkey !== record.rkey) return 'mismatch';
  const skipped = BigInt(psnDiff(packet.psn, record.psn)) * BigInt(Math.max(0, state.pmtu));
  const begin = record.va + skipped;
  // a READ repeated because bytes are missing asks for some
  if (reth.dmaLen === 0 && record.length > 0) return 'mismatch';
  return reth.va === begin && reth.va + BigInt(reth.dmaLen) <= record.va + BigInt(record.length)
    ? 'kept'
    : 'mismatch';
}

const maxRecords = 64;

/** A READ or ATOMIC was carried out. `psns`: PSNs of its responses, -1 unknown; `value`: what an ATOMIC found. */
export function noteExecuted(
  { state, packet, opcode, reth }: RequestView,
  psns: number,
  value: bigint | undefined,
): void {
  const { family } = opcode;
  if (family !== 'read' && family !== 'atomic') return;
  const target = family === 'read' ? reth : packet.atomicEth;
  const executed: ExecutedRecord = {
    family,
    opcode: packet.opcode,
    psn: packet.psn,
    count: psns,
    va: target?.va ?? 0n,
    rkey: target?.rkey ?? 0,
    length: family === 'read' ? (reth?.dmaLen ?? 0) : 8,
    value,
    msn: state.msn,
  };
  state.records = [...state.records.slice(1 - maxRecords), executed];
}
