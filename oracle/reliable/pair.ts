import type { SendWr, Wc } from '../../spec/verbs.ts';
import { FormerLife } from '../device/former-life.ts';
import type { QpChange, Reregistered } from '../device/listener.ts';
import type { Region } from '../device/memory.ts';
import type { PostedSend } from '../device/queues/posted-send.ts';
import type { Qp } from '../device/qp.ts';
import { RequesterJudge } from '../rc-requester/judge.ts';
import { earliestDeparture, type Requester } from '../rc-requester/requester.ts';
import * as requesterCalls from '../rc-requester/software.ts';
import { ResponderJudge } from '../rc-responder/judge.ts';
import * as responderCalls from '../rc-responder/software/calls.ts';
import type { RnrWait } from '../outage/wait.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { When } from '../spot.ts';
import type { ReliableRules } from './rules.ts';

/** Both roles of one RC QP. */
export class ReliablePair {
  readonly qp: Qp;
  readonly responder: ResponderJudge;
  /** `undefined` where not every packet is seen */
  readonly requester: RequesterJudge | undefined;
  readonly #rules: ReliableRules;
  readonly #former: FormerLife;
  /** when everything was last at rest */
  #rested = -1;
  /** ids of work requests of which no packet goes out */
  readonly #local = new Set<number>();
  /** ibv_modify_qp has failed it since */
  #ended = false;

  constructor(qp: Qp, requester: Requester | undefined, rules: ReliableRules, ledger: Ledger) {
    this.qp = qp;
    this.#rules = rules;
    this.#former = new FormerLife((t) => (requester === undefined ? t : earliestDeparture(requester, t)));
    this.responder = new ResponderJudge(qp, rules, ledger, this.#former);
    this.requester = requester && new RequesterJudge(requester, rules.requester, ledger, this.#former);
  }

  /** Nothing can be said of it any more, which is in doubt for nobody. */
  giveUp(): void {
    this.responder.lost = true;
    if (this.requester !== undefined) this.requester.lost = true;
  }

  loseSight(why: string): void {
    this.responder.loseSight(why);
    this.requester?.loseSight(why);
  }

  /** Whether nothing is known for sure of one of its roles. */
  get open(): boolean {
    const { responder, requester } = this;
    return responder.lost || responder.unsettled || requester?.lost === true || requester?.unsettled === true;
  }

  /** Whether something that it did to memory may still turn out to be otherwise. */
  get writes(): boolean {
    const { responder, requester } = this;
    return [responder, requester].some((role) => role?.memories.some((head) => head !== undefined));
  }

  /** Whether it is known to have something to send: requests, or responses to requests that have just come. */
  get sending(): boolean {
    const { responder, requester, qp } = this;
    if (!responder.lost && responder.unsettled) return true;
    return (
      requester !== undefined &&
      !requester.lost &&
      qp.state !== 'ERR' &&
      (requester.unsettled || requester.busy)
    );
  }

  /** The RNR wait that it was in when everything was at rest last, and that nothing else has happened in. */
  get rnrWait(): RnrWait | undefined {
    const { requester, qp } = this;
    const nak = requester?.rnrWait;
    const oneWay = requester?.migration?.loaded === false && !requester.requester.stalls.limited;
    return nak !== undefined && nak.since < this.#rested && oneWay && qp.atDevice ? nak : undefined;
  }

  /** Everything due has had its time. */
  settle(t: number): void {
    this.requester?.settle(t);
    this.#former.over();
    this.#rested = t;
    this.#ended = false;
  }

  receivePosted(when: When): void {
    this.responder.push(responderCalls.posting(this.qp, this.#rules.effects, when));
  }

  /** A region of its PD is deregistered: a request that has come just before may find it or not. */
  deregistered(region: Region, when: When): void {
    const { responder } = this;
    if (!responder.unsettled) return;
    if (!this.qp.atDevice || responder.reads(region))
      return responder.loseSight('dereg_mr while READ responses were under way');
    responder.push(responderCalls.changingRegion(when));
  }

  /**
   * A region of its PD is another: a request that has come just before may find it as it was, or as it is. So does each response to a READ, and
   * each element of a work request: where both are alike in what that needs, it goes on.
   */
  reregistered(region: Region, { certain, traced }: Reregistered, when: When): void {
    const { responder, requester, qp } = this;
    const why = 'rereg_mr while packets were under way';
    if (!certain) return this.giveUp();
    if (
      requester?.unsettled === true &&
      (!traced || (requester.uses(region) && !region.keeps('IBV_ACCESS_LOCAL_WRITE')))
    )
      return this.loseSight(why);
    if (!responder.unsettled) return;
    const cut = responder.reads(region) && !region.keeps('IBV_ACCESS_REMOTE_READ');
    if (!traced || !qp.atDevice || cut) this.loseSight(why);
    else responder.push(responderCalls.changingRegion(when));
  }

  sendPosted(send: PostedSend): void {
    const { requester } = this;
    requester?.push(requesterCalls.posting(requester.requester, send));
  }

  /** What shows in no packet has its place among what packets show, so that the requester is no longer judged. */
  localPosted({ wr_id: id }: SendWr): void {
    this.#local.add(id);
    if (this.requester !== undefined) this.requester.lost = true;
  }

  modified(change: QpChange, when: When): void {
    const { qp, responder, requester } = this;
    const { effects, requester: tables } = this.#rules;
    const { to } = change;
    const inError = responder.state.qpState === 'ERR';
    const ends = to === 'RESET' || to === 'ERR' || to === 'SQD';
    if (ends && (this.open || inError || this.mayHaveFailed(when) || this.#mayRetransmit(when)))
      this.#former.ends(to, when, requester?.work ?? []);
    if (to === 'ERR') this.#ended = true;
    if (!qp.atDevice && responder.unsettled) responder.loseSight('modify_qp while packets were under way');
    requester?.push(requesterCalls.modifying(requester.requester, tables, change, when));
    if (change.attr.alt_ah_attr !== undefined && !qp.atDevice)
      responder.loseSight('an alternate path, to which a QP may migrate unseen');
    responder.push(responderCalls.modifying(qp, { effects, paths: tables.migration }, change, when));
  }

  /** Whether work requests may have failed since everything was last at rest: by a call, or by a timer. */
  mayHaveFailed({ t }: When): boolean {
    return this.#ended || (t > this.#rested && this.requester?.busy === true);
  }

  /** Whether a packet may be on its way to the port, though the device is at rest: a timer has run out just before. */
  #mayRetransmit({ t }: When): boolean {
    const { requester } = this;
    return requester?.busy === true && earliestDeparture(requester.requester, t) < t;
  }

  completion(wc: Wc, when: When): void {
    const { qp, responder, requester } = this;
    if (this.#former.owns(wc)) return;
    if (this.#local.has(wc.wr_id) && !qp.posted.has(wc.wr_id)) return this.#localCompleted(wc);
    const inError = responder.state.qpState === 'ERR';
    if (requester?.owns(wc, (wrId) => qp.posted.has(wrId)) !== true) {
      qp.srq?.posted.completed(wc.wr_id, when.event);
      return responder.push({ kind: 'completion', event: when.event, t: when.t, wc });
    }
    if (inError && requester.state.qpState !== 'ERR') requester.push(requesterCalls.failing(when));
    requester.push({ kind: 'completion', event: when.event, t: when.t, wc });
    if (wc.status !== 'IBV_WC_SUCCESS' && !inError)
      responder.push(responderCalls.failing(qp, this.#rules.effects, when, responder.held));
  }

  /** Whether the QP fails with it, nobody says. */
  #localCompleted({ wr_id: id, status }: Wc): void {
    this.#local.delete(id);
    if (status !== 'IBV_WC_SUCCESS') this.giveUp();
  }
}
