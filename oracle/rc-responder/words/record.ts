import { atomicBytes } from '../../../spec/constants.ts';
import type { Packet } from '../../../wire/packet.ts';
import { psnDiff } from '../../../wire/psn.ts';
import type { FactSlot } from '../../rulebook/fact-row.ts';
import type { ExecutedRecord } from '../pending.ts';
import type { RequestView } from '../request.ts';
import type { ResponderState } from '../state.ts';

/** The fact `record`. Built in, since it searches the READs and ATOMICs that were carried out. */
export function record(request: RequestView, slot: FactSlot): void {
  const { qp, state, packet, opcode } = request;
  if (opcode.family !== 'read' && opcode.family !== 'atomic') return slot.set('not-needed');
  const found = recordOf(state, packet);
  const fact = recordFact(request, found);
  if (qp.verbs) slot.set(fact);
  else if (found === undefined) slot.unsure('evicted', 'mismatch', 'kept');
  // a capture does not tell for how many of them the responder has resources
  else if (fact === 'kept' && found !== state.records.at(-1)) slot.unsure('kept', 'evicted');
  else slot.set(fact);
}

/** The executed READ or ATOMIC that owns the PSN. */
export function recordOf(state: ResponderState, packet: Packet): ExecutedRecord | undefined {
  return state.records.find((r) => {
    const d = psnDiff(packet.psn, r.psn);
    return d >= 0 && (r.count < 0 ? d === 0 : d < r.count);
  });
}

/** `record`: that of the PSN. */
function recordFact(
  { qp, state, packet, opcode, reth, filled }: RequestView,
  record: ExecutedRecord | undefined,
): 'kept' | 'evicted' | 'mismatch' | 'absent' {
  // where the expected PSN is unknown, the life of the QP may have begun unseen
  if (record === undefined && state.ePsn < 0) return 'mismatch';
  // of so many, the oldest are forgotten here
  if (record === undefined) return state.records.length < maxRecords ? 'absent' : 'evicted';
  if (record.family !== opcode.family) return 'mismatch';
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
    length: family === 'read' ? (reth?.dmaLen ?? 0) : atomicBytes,
    value,
    msn: state.msn,
  };
  state.records = [...state.records.slice(1 - maxRecords), executed];
}
