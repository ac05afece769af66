import type { Connection, ConnectionEnd } from '../../../report/connections/shape.ts';
import { count } from '../../../report/text.ts';
import { allDamaged } from './damaged-ends.ts';

/** Of a connection seen twice, at least so many frames are copies of others. */
const twice = 0.4;

/** CNPs behind which a sender that sends as much as before is worth a look. */
const severalCnps = 3;

/** What a person may conclude from the figures of a connection. */
export interface Hint {
  /** what is seen of this connection: "10 PSNs from 10.0.0.1 never seen" */
  seen: string;
  /** the same of any connection: "PSNs never seen" */
  about: string;
  /** what that means, without the full stop */
  means: string;
}

/** What a person may conclude from the figures of a connection. */
export function hintsOf(connection: Pick<Connection, 'service' | 'ends'>): Hint[] {
  const { service, ends } = connection;
  return [...sightHints(service, ends), ...ends.flatMap((end, i) => [...endHints(end, ends[1 - i])])];
}

/** What is seen says it of any connection. */
const everywhere = (about: string, means: string): Hint => ({ seen: about, about, means });

function* sightHints(service: string, ends: Connection['ends']): Generator<Hint> {
  const total = (of: (end: ConnectionEnd) => number): number => of(ends[0]) + of(ends[1]);
  const packets = total((end) => end.packets);
  if (service === 'RC' && ends.some((end) => end.packets === 0))
    yield everywhere('One direction only', 'capture both, and at one place that both pass');
  const copies = total((end) => end.copies);
  if (copies >= twice * packets)
    yield everywhere(
      'Every frame is there twice',
      'two mirror ports, or both sides of one: capture at one place',
    );
  else if (copies > 0) {
    const [about, means] = [
      'seen twice, with the same IP identification',
      'a mirror, or a network that doubles them',
    ];
    yield { seen: `${count(copies, 'frame')} ${about}`, about: `Frames ${about}`, means };
  }
  const wrong = total((end) => end.wrongIcrc);
  if (wrong === packets)
    yield everywhere(
      'The ICRC of every packet is wrong',
      'the capture tool cut or changed them, or a hop rewrites headers',
    );
  else if (ends.some(allDamaged))
    for (const { address } of ends.filter(allDamaged))
      yield {
        seen: `The ICRC of every packet from ${address} is wrong`,
        about: 'The ICRC of every packet of one end is wrong',
        means: 'its NIC computes another one, or a hop on this way rewrites headers',
      };
  else if (wrong > 0)
    yield {
      seen: `${count(wrong, 'packet')} with a wrong ICRC`,
      about: 'Packets with a wrong ICRC',
      means: 'damaged on the way to this point',
    };
}

const lostBefore =
  'lost between the sender and this point, or by the capture: compare the drop counters of the ports on that way';

function* endHints(end: ConnectionEnd, other: ConnectionEnd | undefined): Generator<Hint> {
  const { again, missing, address, paced } = end;
  const nakked = again['sequence-nak'];
  if (missing > 0)
    yield {
      seen: `${count(missing, 'PSN')} from ${address} never seen`,
      about: 'PSNs never seen',
      means: lostBefore,
    };
  if (again.unseen > 0)
    yield {
      seen: `${count(again.unseen, 'packet')} from ${address} seen only when sent again`,
      about: 'Packets seen only when sent again',
      means: lostBefore,
    };
  else if (nakked > 0 && missing === 0)
    yield sentAgain(
      address,
      'after a NAK, and nothing is missing here',
      'lost between this point and the other end: look at the drop counters of the ports on that way',
    );
  if (again.answered > 0)
    yield sentAgain(
      address,
      'what had been answered',
      'the answer was lost between this point and the requester, or came after its ACK timeout: see whether that is longer than the round trip',
    );
  if (again.silence > 0 && missing === 0)
    yield sentAgain(
      address,
      'after silence, and nothing is missing here',
      'lost behind this point, or the other end does not answer: see whether its QP is still there',
    );
  yield* nakHints(end);
  yield* congestionHints(end, other);
  if (paced !== undefined && paced.cnps >= severalCnps && paced.behind >= paced.before)
    yield {
      seen: `${address} sends as much behind CNPs as before`,
      about: 'As much is sent behind CNPs as before',
      means: 'it does not slow down, or they came while it was starting',
    };
  if (end.portChanges > 0)
    yield {
      seen: `The UDP source port of ${address} changes`,
      about: 'The UDP source port changes',
      means: 'the network may lead its packets along several paths, and change their order',
    };
}

function sentAgain(address: string, what: string, means: string): Hint {
  return { seen: `${address} sent again ${what}`, about: `Sent again ${what}`, means };
}

function* nakHints({ address, rnrNaks, naks }: ConnectionEnd): Generator<Hint> {
  if (rnrNaks > 0)
    yield {
      seen: `${count(rnrNaks, 'RNR NAK')} from ${address}`,
      about: 'RNR NAKs',
      means: 'the software there posts receives too slowly: post more of them, or sooner',
    };
  for (const [name, n] of Object.entries(naks)) {
    if (name === 'PSN sequence error') continue;
    const seen = `${count(n, `NAK ${name}`)} from ${address}`;
    yield { seen, about: `NAK ${name}`, means: `${nakMeaning(name)}; it ends the connection` };
  }
}

/** What a NAK with this title says of the request, or of who sends it. */
function nakMeaning(title: string): string {
  switch (title) {
    case 'Invalid request':
      return 'the responder does not take such a request: compare operation, length and order with what its QP allows';
    case 'Remote access error':
      return 'address, length, R_Key or rights of the request do not fit the memory: compare them with what was registered there';
    case 'Remote operational error':
      return 'the responder failed for a reason of its own: look at its completions and logs';
    case 'Invalid RD request (RD only)':
      return 'RD alone has such a NAK';
    default:
      return 'its code is reserved';
  }
}

function* congestionHints({ ce, address }: ConnectionEnd, other: ConnectionEnd | undefined): Generator<Hint> {
  if (ce === 0) return;
  const marked = 'marked CE';
  const seen = `${count(ce, 'packet')} from ${address} ${marked}`;
  const about = `Packets ${marked}`;
  const none = ', and no CNP back';
  yield other?.cnps === 0
    ? {
        seen: seen + none,
        about: about + none,
        means: 'the receiver sends none, or on another path: see whether congestion control is on there',
      }
    : { seen, about, means: 'congestion in front of this point' };
}
