import { carryOut, refused } from '../device/calls.ts';
import { guaranteesLost } from '../device/fatal-events.ts';
import { mayBeDiscarded, unreadable } from '../device/frames.ts';
import type { Notice } from '../device/listener.ts';
import { addressOf } from '../device/packet/address.ts';
import { noteWindows } from '../device/objects/window-notes.ts';
import { PortQueue } from '../device/port-queue.ts';
import { Objects } from '../device/objects.ts';
import type { Observer } from '../device/observer.ts';
import { Ledger } from '../rulebook/ledger.ts';
import type { RuleSet } from '../rules.ts';
import type { Judgement, TraceEvent, TraceHeader } from '../trace.ts';
import { HeldReports, type Report } from './held-reports.ts';
import { CaptureFindings } from '../capture/findings.ts';
import type { CapturePart } from '../capture/findings.ts';
import type { Note } from '../device/notes.ts';
import { observersOf } from './observers.ts';
import type { Share } from './observers.ts';
import { compile } from './rules.ts';

/**
 * Judges one trace against the rules, event by event; memory is bounded by what is unsettled, not by the length of the
 * trace. A rule counts as violated only if no conformant behaviour explains what was seen. Throws RangeError if the
 * vocabulary lacks what the oracle computes; never for anything in the trace.
 */
export class Judge {
  readonly #ledger = new Ledger();
  readonly #objects: Objects;
  readonly #observers: readonly Observer[];
  readonly #findings: CaptureFindings;
  readonly #port: PortQueue;
  readonly #reports: HeldReports;
  #count = 0;
  /** time of the event that was looked at last */
  #seen = 0;
  /** the device has said that it guarantees nothing any more */
  #over = false;

  constructor(header: TraceHeader, rules: RuleSet);
  /**
   * `share`: it judges that of a capture, and hands over its part.
   * @internal
   */
  constructor(header: TraceHeader, rules: RuleSet, share?: Share);
  constructor(header: TraceHeader, rules: RuleSet, share?: Share) {
    this.#objects = new Objects(header);
    this.#port = new PortQueue({
      lineRate: header.congestion?.lineRate,
      responseTime: header.timing?.responseTime,
    });
    // on a real clock it is the recorder that is inexact, and it keeps the order
    const underWay = header.clock === 'real' ? 0 : (header.timing?.jitter ?? 0);
    this.#reports = new HeldReports(this.#port, underWay);
    this.#findings = new CaptureFindings(header, this.#ledger);
    this.#observers = observersOf(
      header,
      compile(rules),
      this.#ledger,
      this.#objects,
      this.#port,
      this.#findings,
      share,
    );
  }

  /** `index`: its place in the trace, where others judge what is between. */
  push(event: TraceEvent, index = this.#count): void {
    this.#count = index + 1;
    if (event.kind === 'completion' || event.kind === 'async' || event.kind === 'second-context') {
      this.#reports.hold(event, index);
      return;
    }
    for (let held = this.#reports.before(event); held !== undefined; held = this.#reports.before(event))
      this.#report(held.event, held.index);
    if (event.kind === 'packet' && event.direction === 'from-dut')
      this.#port.left(event.packet.frame.length, event.t);
    this.#take(event, index);
  }

  /** A report that was held counts from when it is certain that nothing precedes it. */
  #report(event: Report, index: number): void {
    if (event.t >= this.#seen) return this.#take(event, index);
    const late = { ...event, t: this.#seen };
    this.#take(late.kind === 'completion' ? { ...late, taken: event.t } : late, index);
  }

  #take(event: TraceEvent, index: number): void {
    if (this.#over) return;
    this.#seen = event.t;
    this.#ledger.now.event = index;
    this.#see(event, index);
    const unread = unreadable(event) ?? mayBeDiscarded(event);
    if (unread !== undefined) this.#see({ kind: 'gap', t: event.t, reason: unread }, index);
    const lost = guaranteesLost(event);
    if (lost === undefined) return;
    this.#ledger.skip(lost);
    this.#see({ kind: 'gap', t: event.t, reason: lost }, index);
    this.#over = true;
  }

  #see(event: TraceEvent, index: number): void {
    const observers = this.#observers;
    // by index: an iterator for each event costs more than some observers do
    for (let i = 0; i < observers.length; i++) if (observers[i]?.see(event, index) === 'mine') break;
    noteWindows(this.#objects, event);
    if (event.kind === 'gid') this.#objects.addresses?.add(addressOf(event.gid) ?? event.gid);
    if (event.kind === 'call') {
      const { t, start } = event;
      this.#tell(carryOut(this.#objects, event, { event: index, t, start }));
    } else if (event.kind === 'call-failed') {
      const { attempted, errno, t, start, list, kept } = event;
      const when = { event: index, t, start };
      this.#tell(attempted && refused(this.#objects, attempted, errno, when, { list, kept }));
    }
  }

  #tell(notice: Notice | undefined): void {
    const observers = this.#observers;
    for (let i = 0; i < observers.length; i++) {
      const observer = observers[i];
      if (observer === undefined) continue;
      if (notice !== undefined) {
        notice(observer);
        if (observer.parts !== undefined) for (const part of observer.parts) notice(part);
      }
      if (observer.heard !== undefined) observer.heard();
    }
  }

  /** What was found broken up to now. */
  get violations(): Judgement['violations'] {
    return this.#ledger.violations;
  }

  /**
   * What others have found out at that place in the trace; `order`: among several notes of one place.
   * @internal
   */
  note(note: Note, index: number, order = 0): void {
    this.#ledger.at({ event: index, place: order });
    for (const observer of this.#observers) observer.note?.(note);
    this.#ledger.now.place = 0;
  }

  finish(): Judgement {
    this.#end();
    this.#findings.finish();
    return this.#ledger.judgement();
  }

  /**
   * What it has found, for one that puts together the parts of a capture with so many events.
   * @internal
   */
  part(events: number): CapturePart {
    this.#count = events;
    this.#end();
    return this.#findings.part();
  }

  #end(): void {
    for (let held = this.#reports.take(); held !== undefined; held = this.#reports.take())
      this.#report(held.event, held.index);
    this.#ledger.at({ event: this.#count, place: 0 });
    for (const observer of this.#observers) observer.finish?.();
  }
}

/**
 * What several judges of parts of one capture have found together.
 * @internal
 */
export function gathered(header: TraceHeader, parts: readonly CapturePart[], { rules }: RuleSet): Judgement {
  const ledger = new Ledger();
  const findings = new CaptureFindings(header, ledger);
  findings.gather(parts, rules);
  findings.finish();
  return ledger.judgement();
}

/** Judges a whole trace at once. */
export function judgeTrace(header: TraceHeader, events: Iterable<TraceEvent>, rules: RuleSet): Judgement {
  const judge = new Judge(header, rules);
  for (const event of events) judge.push(event);
  return judge.finish();
}
