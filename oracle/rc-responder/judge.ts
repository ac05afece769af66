import type { MemoryNode, Region } from '../device/memory.ts';
import type { FormerLife } from '../device/former-life.ts';
import type { Qp } from '../device/qp.ts';
import { anyNumber, type Taken, type Taker } from '../device/queues/takers.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { outcomeWord } from '../rulebook/outcome.ts';
import { CaptureVisibility } from './capture/visibility.ts';
import type { Entry, RequestEntry } from './entry.ts';
import { PossibleResponderStates } from './possible-states.ts';
import type { Stopped } from './possible-states.ts';
import type { Unmet } from './responses/demands.ts';
import { ReplyJudge } from './responses/judge.ts';
import { ResponderReport } from './report.ts';
import { RequestView } from './request.ts';
import { RestJudge } from './rest.ts';
import type { ResponderRules } from './rules.ts';
import { judgeSoftware } from './software/judge.ts';
import type { ResponderContext } from './context.ts';
import type { ResponderState } from './state.ts';

/** Events that are cheap to follow in all ways that they leave open. */
const fewEvents = 16;
/** Events that are worth forgetting where more are kept in any case. */
const manyEvents = 128;

/** Judges one RC responder: what requests, calls and frames make of it, its responses, and what software sees of it. */
export class ResponderJudge implements Taker {
  readonly connection: Qp;
  /** judging stopped: the state of the device is no longer known */
  lost = false;
  #held = false;
  readonly #rules: ResponderRules;
  readonly #report: ResponderReport;
  readonly #sight: CaptureVisibility | undefined;
  readonly #states: PossibleResponderStates;
  readonly #replies: ReplyJudge;
  readonly #context: ResponderContext;
  readonly #rest: RestJudge;

  constructor(connection: Qp, rules: ResponderRules, ledger: Ledger, former?: FormerLife) {
    this.connection = connection;
    this.#rules = rules;
    this.#report = new ResponderReport(ledger, connection.name, !connection.atDevice && !connection.verbs);
    this.#sight = connection.atDevice ? undefined : new CaptureVisibility(connection.capabilities);
    const [report, sight] = [this.#report, this.#sight];
    const states = new PossibleResponderStates(connection, rules, report, sight);
    this.#states = states;
    this.#context = { connection, rules, states, report, sight };
    this.#replies = new ReplyJudge(this.#context, former);
    this.#rest = new RestJudge(this.#context);
  }

  /** The likeliest of the states that the responder may be in. */
  get state(): ResponderState {
    return this.#states.state;
  }

  /** What the responder may have done to memory, likeliest first. */
  get memories(): (MemoryNode | undefined)[] {
    return this.#states.all.map(({ memory }) => memory);
  }

  /** Since everything was last at rest, its rate may have kept responses back. */
  get held(): boolean {
    return this.#held;
  }

  /** The rate of the QP may keep responses from leaving. */
  hold(): void {
    this.#held = true;
  }

  /** Packets have arrived since everything was last known to be at rest. */
  get unsettled(): boolean {
    return this.#states.unsettled;
  }

  /** Whether the QP is in ERR, so that nothing else comes of packets that arrive. */
  get failed(): 'no' | 'perhaps' | 'yes' {
    if (this.lost || this.state.qpState !== 'ERR') return 'no';
    return this.#states.ambiguous ? 'perhaps' : 'yes';
  }

  get taken(): Taken {
    return this.lost || !this.connection.atDevice ? anyNumber : this.#states.taken;
  }

  /** Whether READ responses from a region are on their way, which may end at any of them when it is deregistered. */
  reads(region: Region): boolean {
    return this.#states.all.some(({ replies }) =>
      replies.list().some(({ read }) => read?.region === region && read.count > 1),
    );
  }

  contended(): void {
    if (this.#states.racing) this.#states.ambiguous = true;
  }

  /** The trace starts in the middle of the connection. */
  startUnknown(): void {
    this.#states.restart();
  }

  /** What comes is of another connection. */
  beginAnew(): void {
    this.mayBeginAnew();
    this.#states.restart();
  }

  /** What comes may be of another connection, whose QP has the same number; `leaps`: it does not go on where the PSNs before ended. */
  mayBeginAnew(leaps = false): void {
    if (this.#sight === undefined) return;
    this.#sight.mayBeginAnew = true;
    this.#sight.leaps ||= leaps;
  }

  /** Two different requests have one PSN: an acknowledgement of it does not say which of them was taken. */
  contest(): void {
    if (this.#sight !== undefined) this.#sight.contested = true;
  }

  /** No conformant requester sends a request: another one may have come in its place, which the capture lacks. */
  mistrust(): void {
    if (this.#sight !== undefined) this.#sight.mistrusted = true;
  }

  /** A request was seen once more that may be a copy which was made on the way: it may have been taken all the same. */
  sawCopy(entry: RequestEntry): void {
    this.#sight?.sawCopy(entry);
  }

  /** What is kept of packets holds no part of the capture that they are from. */
  detach(): void {
    this.#states.detach();
  }

  /** It is in this state, as another judge has found out. */
  startAt(state: ResponderState): void {
    this.#states.startAt(state);
  }

  /** The same, where this judge has followed more than a few events since it was certain, and nothing is owed that this would forget. */
  agreeOn(state: ResponderState): void {
    const { length, state: own } = this.#states;
    if (length < fewEvents || own.replies.findLast(({ optional }) => !optional) !== undefined) return;
    this.#states.startAt(state);
  }

  /** Whether it has followed far more than so many events since it was certain. */
  follows(events: number): boolean {
    return this.#states.length - events >= manyEvents;
  }

  /** The state behind the request at that place in the trace, as another judge has found it out. */
  agreeBehind(state: ResponderState, event: number): void {
    this.#states.beginBehind(state, event);
  }

  /** A response reached the QP. It does not concern the responder. */
  passed(): void {
    this.#states.attribution.passed();
  }

  /** The state, where a response of a capture has just settled all of it. */
  get settledState(): ResponderState | undefined {
    const { ambiguous, guessing, state, requests } = this.#states;
    return ambiguous || guessing || requests.length > 0 || !this.#sight?.caughtUp(state) ? undefined : state;
  }

  /** What was owed for requests before that place in the trace, and has not come in any way that explains what was seen. */
  late(before: number): Unmet | undefined {
    return this.lost ? undefined : this.#rest.late(before);
  }

  push(entry: Entry): void {
    if (this.lost) return;
    if (entry.kind === 'reply' && this.#sight?.precedes(entry.seen.psn) === true)
      return this.#report.skip('responses to requests before the capture');
    this.#states.push(entry);
    switch (entry.kind) {
      case 'request':
        return this.#request(entry);
      case 'call':
        if (this.#states.racing) this.#states.ambiguous = true;
        return entry.apply(this.state);
      case 'frame':
        this.#states.attribution.decided(entry.branch, entry.event, undefined);
        return this.#rules.effects.frame(this.state, entry.branch, entry.event);
      case 'reply':
        this.#report.heard();
        return this.#stop(this.#replies.judge(entry));
      case 'completion':
      case 'async':
        return this.#stop(judgeSoftware(this.#context, entry));
    }
  }

  #viewOf(entry: RequestEntry): RequestView {
    return new RequestView(this.connection, this.state, entry);
  }

  /** What the rules say of a request in the state that is likeliest. */
  decide(entry: RequestEntry): ReturnType<ResponderRules['decider']['primary']> {
    return this.#rules.decider.primary(this.#viewOf(entry));
  }

  /** Whether a SEND that comes now surely leaves the key that it is to invalidate as it is: it is not carried out, for another reason. */
  leavesKey(entry: RequestEntry): boolean {
    if (this.lost || this.#states.ambiguous || this.#sight !== undefined) return false;
    return this.#rules.decider
      .all(this.#viewOf(entry))
      .every(
        ({ outcome }) =>
          outcomeWord(outcome, 'invalidation') === undefined &&
          outcomeWord(outcome, 'fault') !== 'invalidation',
      );
  }

  #request(entry: RequestEntry): void {
    const states = this.#states;
    const { connection } = this;
    connection.contested?.takers.contend(connection, connection.posted.length);
    if (entry.mayBeLost === true) return void (states.ambiguous = true);
    const request = this.#viewOf(entry);
    const { state } = request;
    const { branch, certain } = this.#rules.decider.primary(request);
    if (!certain || this.#sight !== undefined) states.ambiguous = true;
    this.#report.exercise(branch.rules);
    states.attribution.decided(branch, entry.event, entry.packet.psn);
    const { report: before, established } = state;
    this.#rules.effects.apply(request, branch, entry.event);
    const { report } = state;
    if (report !== undefined && report !== before) this.#report.exercise([report.rule]);
    if (established !== state.established) this.#report.exercise(this.#rules.reports.announced(state));
  }

  /** Everything due has had its time: what is still owed will not come. */
  settle(t: number): void {
    this.#held = false;
    if (this.lost) return;
    const stopped = this.#rest.settle(t);
    if (stopped === 'lost') this.lost = true;
    else this.#stop(stopped);
  }

  /** Nothing is known until packets of a capture tell again; where the device itself was watched, judging ends. */
  #stop(stopped: Stopped | undefined): void {
    if (stopped === undefined) return;
    if (stopped.why !== undefined) this.#report.doubt(stopped.why);
    if (this.#sight === undefined) this.lost = true;
    else this.#states.restart();
  }

  loseSight(why: string): void {
    if (!this.lost) this.#stop({ why });
  }
}
