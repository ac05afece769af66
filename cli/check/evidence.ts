import type { CheckViolation } from '../../report/check-results.ts';
import type { LadderLine } from '../../report/results.ts';
import { fieldsText } from '../../suites/ladder-fields.ts';
import { decodeCaptured, describe, type CaptureRecord } from '../../wire/index.ts';
import type { Packet } from '../../wire/packet.ts';
import { framesOf, packetIn } from './frames.ts';
import { PacketReader } from './packet-reader.ts';

/** Violations of a rule that are shown with their ladder. */
const shownPerRule = 5;
/** Packets of a connection that are shown in front of the guilty one, and behind it. */
const before = 14;
const after = 3;

/** Reads the capture from its beginning. */
export type Reread = () => Iterable<CaptureRecord>;

/** A connection that a rule was broken on, and what was seen of it around the guilty frame. */
interface Scene {
  violation: CheckViolation;
  /** address and QP number of the device that was judged; `undefined`: of a sender, whose packets name the QP of its peer alone */
  address: string;
  qp: number | undefined;
  peer: string;
  /** QP number of the peer, where the guilty packet tells */
  peerQp: number | undefined;
  lines: LadderLine[];
  /** lines still wanted behind the guilty one; -1 before it */
  wanted: number;
}

function sceneOf(violation: CheckViolation, guilty: Packet): Scene | undefined {
  const [, sender, qp, address] = /^(sender to )?qp 0x([0-9a-f]+) at (\S+)$/.exec(violation.qp) ?? [];
  if (qp === undefined || address === undefined) return undefined;
  const sent = guilty.srcIp === address;
  return {
    violation,
    address,
    qp: sender === undefined ? Number.parseInt(qp, 16) : undefined,
    peer: sent ? guilty.dstIp : guilty.srcIp,
    peerQp: sent ? guilty.destQp : undefined,
    lines: [],
    wanted: -1,
  };
}

/** Whether a packet may be of the scene's connection: of what the device sent, a BTH does not tell which QP it is from. */
function belongs({ address, qp, peer, peerQp }: Scene, packet: Packet): boolean {
  if (packet.dstIp === address && packet.srcIp === peer) return packet.destQp === qp;
  return (
    packet.srcIp === address && packet.dstIp === peer && (peerQp === undefined || packet.destQp === peerQp)
  );
}

function show(scene: Scene, packet: Packet, number: number, name: string, t: number): void {
  const guilty = number === scene.violation.frame;
  scene.lines.push({
    t,
    kind: packet.srcIp === scene.address ? 'from-dut' : 'to-dut',
    text: `${name}: ${describe(packet)}${fieldsText(packet, scene.violation, 'dut')}`,
    frame: Buffer.from(packet.frame).toString('hex'),
    ...(guilty && { guilty }),
  });
  if (guilty) scene.wanted = after;
  else if (scene.wanted > 0) scene.wanted--;
  else if (scene.lines.length > before) scene.lines.shift();
}

/**
 * The violations, the first ones of each rule with the exchange around their guilty frame. Reads the capture twice more, and
 * keeps no more of it than it shows.
 */
export function withLadders(
  violations: readonly CheckViolation[],
  reread: Reread,
  place: (frame: number) => string,
): CheckViolation[] {
  const perRule = new Map<string, number>();
  const wanted = violations.filter(({ rule, frame }) => {
    if (frame === undefined) return false;
    const n = (perRule.get(rule) ?? 0) + 1;
    perRule.set(rule, n);
    return n <= shownPerRule;
  });
  if (wanted.length === 0) return [...violations];
  const guilty = new Set(wanted.map(({ frame }) => frame));
  let left = guilty.size;
  const scenes: Scene[] = [];
  for (const frame of framesOf(reread())) {
    if (left === 0) break;
    if (!guilty.has(frame.number)) continue;
    left--;
    const packet = packetIn(decodeCaptured(frame));
    if (packet === undefined) continue;
    for (const violation of wanted.filter((v) => v.frame === frame.number)) {
      const scene = sceneOf(violation, packet);
      if (scene !== undefined) scenes.push(scene);
    }
  }
  let start: bigint | undefined;
  const reader = new PacketReader();
  for (const frame of framesOf(reread())) {
    start ??= frame.time;
    const open = scenes.filter((scene) => scene.wanted !== 0);
    if (open.length === 0) break;
    const packet = packetIn(reader.read(frame));
    if (packet === undefined) continue;
    const t = Math.max(0, Number(frame.time - start));
    for (const scene of open)
      if (belongs(scene, packet)) show(scene, packet, frame.number, place(frame.number), t);
  }
  const drawn = new Map(scenes.map((scene) => [scene.violation, scene]));
  return violations.map((violation) => {
    const scene = drawn.get(violation);
    if (scene === undefined || scene.lines.length === 0) return violation;
    return { ...violation, ladder: scene.lines, ends: [scene.peer, scene.address] };
  });
}
