import type { Violation } from '../../../oracle/trace.ts';
import { hintText } from '../../../report/connections/hint-text.ts';
import type { Connection, ConnectionEnd, Connections, Tally } from '../../../report/connections/shape.ts';
import { allDamaged, DamagedEnds } from './damaged-ends.ts';
import { noCounts, type Flow } from './flow.ts';
import { hintsOf } from './hints.ts';
import type { Hint } from './hints.ts';

/** Connections that a report holds. */
const mostListed = 1000;

/** Of a shorter time, bytes per second say nothing. */
const leastTime = 1e6;

/** How a violation names an end: "qp 0x11 at 10.0.0.1", or, where its number is not known, "sender to qp 0x12 at 10.0.0.1". */
const endName = /(sender to )?qp (0x[0-9a-f]+) at (\S+)$/;
/** Keys of an end, by its own number and by that of the other end. */
const byNumber = (address: string, qp: number | undefined): string => `${address} ${qp}`;
const bySending = (address: string, to: number | undefined): string => `${address} to ${to}`;

/** The connections whose figures are complete: the worst are kept, all are counted. */
export class Listing {
  #total = 0;
  #rows: Connection[] = [];
  readonly #hints = new Map<string, number>();
  readonly #judged = new Map<string, number>();
  readonly #done = new Set<Flow>();
  readonly #damaged = new DamagedEnds();

  add(flow: Flow): void {
    if (this.#done.delete(flow)) return;
    if (flow.peer !== undefined) this.#done.add(flow.peer);
    this.#total++;
    const { hints, row } = connectionOf(flow);
    for (const says of new Set(hints.map(({ about, means }) => hintText(about, means))))
      add(this.#hints, says);
    add(this.#judged, row.judged);
    this.#damaged.add(row);
    this.#rows.push(row);
    if (this.#rows.length >= 2 * mostListed) this.#rows = worst(this.#rows);
  }

  /** Why nothing wrong does not mean that all ends are sound. */
  doubts(): string[] {
    return this.#damaged.doubts();
  }

  result(violations: readonly Violation[]): Connections {
    const broken = new Map<string, number>();
    for (const { qp } of violations) {
      const [, sender, number = '', address = ''] = endName.exec(qp) ?? [];
      const key = sender === undefined ? byNumber : bySending;
      add(broken, key(address, Number.parseInt(number, 16)));
    }
    for (const row of this.#rows) {
      const [one, other] = row.ends;
      for (const key of [
        byNumber(one.address, one.qp),
        byNumber(other.address, other.qp),
        bySending(one.address, other.qp),
        bySending(other.address, one.qp),
      ])
        row.violations += broken.get(key) ?? 0;
    }
    return {
      total: this.#total,
      listed: worst(this.#rows),
      judged: talliesOf(this.#judged),
      hints: talliesOf(this.#hints),
    };
  }
}

const add = (to: Map<string, number>, says: string): void => {
  to.set(says, (to.get(says) ?? 0) + 1);
};

/** The most frequent first. */
function talliesOf(counts: ReadonlyMap<string, number>): Tally[] {
  return [...counts]
    .map(([says, connections]) => ({ says, connections }))
    .toSorted((a, b) => b.connections - a.connections);
}

function endOf(address: string, qp: number | undefined, flow: Flow | undefined): ConnectionEnd {
  const missing = flow?.requests.gaps.missing ?? 0;
  return {
    address,
    ...(qp !== undefined && { qp }),
    ...(flow?.counts ?? noCounts()),
    missing,
    ...(flow !== undefined && paceOf(flow)),
  };
}

/** What can be said of how fast it sent. */
function paceOf({ counts, first, last, pace }: Flow): Pick<ConnectionEnd, 'goodput' | 'paced'> {
  const { busiest, paced } = pace;
  // a millisecond that the capture shows in part may hold less than the average
  const mean = (counts.payload / (last - first)) * 1e9;
  return {
    ...(last - first >= leastTime &&
      counts.payload > 0 && { goodput: { mean, busiest: Math.max(mean, 1000 * busiest) } }),
    ...(paced && { paced }),
  };
}

function connectionOf(flow: Flow): { row: Connection; hints: readonly Hint[] } {
  // the one that spoke first, and asked, on the left
  const back = flow.peer;
  const turned = back !== undefined && back.first < flow.first;
  const [left, right] = turned ? [back, flow] : [flow, back];
  const { service, from, to } = left;
  const ends: [ConnectionEnd, ConnectionEnd] = [
    endOf(from, left.srcQp ?? right?.destQp, left),
    endOf(to, left.destQp, right),
  ];
  const mtu = Math.max(left.mtu, right?.mtu ?? 0);
  const hints = hintsOf({ service, ends });
  const row = {
    service,
    ends,
    first: Math.min(left.first, right?.first ?? Infinity),
    last: Math.max(left.last, right?.last ?? 0),
    ...(mtu > 0 && { mtu }),
    violations: 0,
    judged: judgedOf(service, ends),
    hints: hints.map(({ seen, means }) => hintText(seen, means)),
  };
  return { row, hints };
}

function judgedOf(service: string, ends: Connection['ends']): string {
  if (service !== 'RC') return service === 'UC' || service === 'UD' ? 'the sender' : 'headers only';
  const asked = ends.some((end) => end.requests > 0 && !allDamaged(end));
  const answered = ends.some((end) => end.responses > 0 && !allDamaged(end));
  if (asked && answered) return 'both ends';
  if (asked) return 'the requester only';
  const damaged = ends.some((end) => end.requests > 0);
  return `nothing: ${damaged ? 'the ICRC of every request is wrong' : 'no request is seen'}`;
}

/** Sum of what a person looks for. */
function trouble({ ends }: Connection): number {
  let sum = 0;
  for (const end of ends) {
    for (const n of Object.values(end.again)) sum += n;
    for (const [name, n] of Object.entries(end.naks)) sum += name === 'PSN sequence error' ? n : 1000 * n;
    sum += end.rnrNaks + end.missing + end.wrongIcrc + end.ce;
  }
  return sum;
}

const packetsOf = ({ ends }: Connection): number => ends[0].packets + ends[1].packets;

function worst(rows: readonly Connection[]): Connection[] {
  return rows
    .map((row) => ({ row, trouble: trouble(row), packets: packetsOf(row) }))
    .toSorted((a, b) => b.row.violations - a.row.violations || b.trouble - a.trouble || b.packets - a.packets)
    .slice(0, mostListed)
    .map(({ row }) => row);
}
