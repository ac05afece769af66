import type { Connection, ConnectionEnd } from '../../../report/connections/shape.ts';
import { count } from '../../../report/text.ts';

/** Of a connection seen twice, at least so many frames are copies of others. */
const twice = 0.4;

/** CNPs behind which a sender that sends as much as before is worth a look. */
const severalCnps = 3;

/** What a person may conclude from the figures of a connection. */
export function hintsOf(connection: Pick<Connection, 'service' | 'ends'>): string[] {
  const { service, ends } = connection;
  return [...sightHints(service, ends), ...ends.flatMap((end, i) => [...endHints(end, ends[1 - i])])];
}

function* sightHints(service: string, ends: Connection['ends']): Generator<string> {
  const total = (of: (end: ConnectionEnd) => number): number => of(ends[0]) + of(ends[1]);
  const packets = total((end) => end.packets);
  if (service === 'RC' && ends.some((end) => end.packets === 0))
    yield 'One direction only: capture both, and at one place that both pass.';
  const copies = total((end) => end.copies);
  if (copies >= twice * packets) yield 'Every frame is there twice: two mirror ports, or both sides of one.';
  else if (copies > 0)
    yield `${count(copies, 'frame')} seen twice, with the same IP identification: a mirror, or a network that doubles them.`;
  const wrong = total((end) => end.wrongIcrc);
  if (wrong === packets)
    yield 'The ICRC of every packet is wrong: the capture tool cut or changed them, or a hop rewrites headers.';
  else if (wrong > 0) yield `${count(wrong, 'packet')} with a wrong ICRC: damaged on the way to this point.`;
}

function* endHints(end: ConnectionEnd, other: ConnectionEnd | undefined): Generator<string> {
  const { again, missing, address, paced } = end;
  const nakked = again['sequence-nak'];
  if (missing > 0)
    yield `${count(missing, 'PSN')} from ${address} never seen: lost in front of this point, or by the capture.`;
  if (again.unseen > 0)
    yield `${count(again.unseen, 'packet')} from ${address} seen only when sent again: lost in front of this point, or by the capture.`;
  else if (nakked > 0 && missing === 0)
    yield `${address} sent again after a NAK, and nothing is missing here: lost between this point and the other end.`;
  if (again.answered > 0)
    yield `${address} sent again what had been answered: the answer was lost behind this point, or came after the timer.`;
  if (again.silence > 0 && missing === 0)
    yield `${address} sent again after silence, and nothing is missing here: lost behind this point, or the other end does not answer.`;
  if (end.rnrNaks > 0)
    yield `${count(end.rnrNaks, 'RNR NAK')} from ${address}: its software posts receives too slowly.`;
  for (const [name, n] of Object.entries(end.naks)) {
    if (name !== 'PSN sequence error')
      yield `${count(n, `NAK ${name}`)} from ${address}: it ends the connection.`;
  }
  if (end.ce > 0)
    yield other?.cnps === 0
      ? `${count(end.ce, 'packet')} from ${address} marked CE, and no CNP back: the receiver sends none, or on another path.`
      : `${count(end.ce, 'packet')} from ${address} marked CE: congestion in front of this point.`;
  if (paced !== undefined && paced.cnps >= severalCnps && paced.behind >= paced.before)
    yield `${address} sends as much behind CNPs as before: it does not slow down, or they came while it was starting.`;
  if (end.portChanges > 0)
    yield `The UDP source port of ${address} changes: the network may lead its packets along several paths.`;
}
