import type { Scenario } from '../../scenario.ts';

/** Fields that count bytes, other than those that count in path MTUs already. */
const inBytes: ReadonlySet<string> = new Set(['length', 'bytes', 'offset']);

/** What an atomic operation is aligned to. */
const word = 8;

/** As many path MTUs, and of the last packet as many bytes, or as many less than a full one, as there is room for. */
function scaled(bytes: number, from: number, to: number): number {
  const rest = bytes % from;
  return Math.floor(bytes / from) * to + lastPacket(rest, from, to);
}

function lastPacket(bytes: number, from: number, to: number): number {
  if (bytes <= to) return bytes;
  const missing = from - bytes;
  if (missing < to) return to - missing;
  // an address stays as aligned as it was
  const about = Math.floor((bytes * to) / from);
  return about - (about % word) + (bytes % word);
}

function rescaled(data: unknown, from: number, to: number): unknown {
  if (Array.isArray(data)) return data.map((item: unknown) => rescaled(item, from, to));
  if (typeof data !== 'object' || data === null) return data;
  // the offset of a PSN counts packets
  if ('mtus' in data || 'from' in data) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]: [string, unknown]) => [
      key,
      typeof value === 'number' && inBytes.has(key) && value > 0
        ? scaled(value, from, to)
        : rescaled(value, from, to),
    ]),
  );
}

/**
 * The scenario at another path MTU, with messages, buffers and memory regions as many MTUs long as before: otherwise a message may have
 * another number of packets, or not fit any more, and what that does would be put down to the MTU.
 */
export function atPathMtu(scenario: Scenario, mtu: number): unknown {
  const { regions, steps } = scenario;
  const [ownRegions, ownSteps] = [regions, steps].map((part) => rescaled(part, scenario.mtu, mtu));
  return { ...scenario, mtu, regions: ownRegions, steps: ownSteps };
}
