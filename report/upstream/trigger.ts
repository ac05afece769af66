import { isAbsent, type Failure } from '../results.ts';

function listOf(scenario: unknown, name: string): unknown[] {
  const list: unknown =
    typeof scenario === 'object' && scenario !== null ? Reflect.get(scenario, name) : undefined;
  return Array.isArray(list) ? list : [];
}

/** Whether the peer sends the device anything before the defect has shown; what never comes has shown at the end only. */
function peerTakesPart({ ladder, observed }: Failure): boolean {
  const guilty = isAbsent(observed) ? -1 : ladder.findIndex((line) => line.guilty === true);
  const until = guilty < 0 ? ladder : ladder.slice(0, guilty + 1);
  return until.some(
    ({ kind, lost, text }) => (kind === 'to-dut' && lost !== true) || text.endsWith(' by the wire'),
  );
}

/** Who can bring it about, as far as the case tells. */
export function triggerOf(failure: Failure): string {
  const { scenario, ladder } = failure;
  if (ladder.length > 0 && !peerTakesPart(failure))
    return 'It takes no more than the calls of a local program: no packet of a peer takes part.';
  const kinds = listOf(scenario, 'steps').map((step) =>
    typeof step === 'object' && step !== null ? Reflect.get(step, 'do') : undefined,
  );
  if (kinds.includes('inject') || kinds.includes('respond'))
    return 'A peer can trigger it by the packets that it sends; the case crafts them.';
  if (listOf(scenario, 'faults').length > 0)
    return 'It takes a conformant peer and a network that loses, delays or changes packets.';
  return 'It takes no more than the calls of a local program and a conformant peer.';
}
