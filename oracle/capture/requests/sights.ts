import { captureLatitude } from '../../../spec/latitudes.ts';
import { noPartition, type Difference } from '../../device/packet/header.ts';
import type { When } from '../../spot.ts';
import type { Packet } from '../../../wire/packet.ts';
import { CapturedDemands, type CapturedSurroundings } from '../demands.ts';
import { wrongBare } from '../lengths.ts';
import type { Naks } from '../naks.ts';
import type { Unanswered } from '../unanswered.ts';
import type { Asked } from './asked.ts';
import { firstSight } from './first-sight.ts';
import { wrongRepetition } from './repetition.ts';
import {
  tellsSoftware,
  wrongPartition,
  wrongReserved,
  wrongSolicited,
  wrongVersion,
  type SeenRequest,
} from './seen-request.ts';

/** What a request was seen as. */
export interface RequestSight {
  /** `discarded`: the receiver takes no notice of it, so that its PSN may stand for something else */
  as: 'first' | 'again' | 'discarded';
  /** it may be a copy of an earlier packet that was made on the way, and nothing calls for it */
  copy: boolean;
  /** it is no neighbour of those before it */
  anew: boolean;
  /** it, or a READ before it, is not what had its PSN */
  disputes: boolean;
  /** no conformant requester sends it, whatever else it sends */
  malformed: boolean;
}

/** Requests of one requester and the answers to them, as they were seen. */
interface Known {
  asked: Asked;
  naks: Naks;
  unanswered: Unanswered;
}

/** Judges each request of a capture by itself, by its neighbours, and by the earlier request that had its PSN. */
export class RequestSights {
  readonly #around: CapturedSurroundings;
  readonly #demands: CapturedDemands;
  readonly #known: Known;
  #disputes = false;

  constructor(around: CapturedSurroundings, known: Known) {
    this.#around = around;
    this.#demands = new CapturedDemands(around);
    this.#known = known;
  }

  /** `repeats`: it is among packets that are sent again from the first one on, or of another connection. */
  see(packet: Packet, request: SeenRequest, when: When, repeats: () => boolean): RequestSight {
    const { asked } = this.#known;
    this.#disputes = false;
    this.#demands.malformed = false;
    const before = asked.record.at(request.psn);
    const version = wrongVersion(packet);
    this.#demands.held(
      'mustHeader',
      before === undefined ? 'first' : 'repeat',
      request,
      version ?? wrongReserved(packet) ?? noPartition(packet),
      when,
    );
    const sight = (as: RequestSight['as'], copy: boolean, anew: boolean): RequestSight => ({
      as,
      copy,
      anew,
      disputes: this.#disputes,
      malformed: this.#demands.malformed,
    });
    if (version !== undefined) return sight('discarded', false, false);
    if (before !== undefined) {
      const copy = this.#again(before, request, packet.addressKey, when, repeats);
      return sight('again', copy, false);
    }
    const anew = this.#first(request, when);
    return sight('first', false, anew);
  }

  #first(request: SeenRequest, when: When): boolean {
    const { asked, naks, unanswered } = this.#known;
    this.#around.copies.sawOnce();
    request.message ??= asked.record.messageAt(request.psn);
    const anew = firstSight(asked, request, (key, wrong, { read, doubtful } = {}) => {
      if (read !== undefined) this.#dispute(read, wrong);
      this.#demands.held(key, 'first', request, wrong, when, doubtful);
    });
    asked.record.add(request);
    naks.asked(when.t);
    if (request.family === 'read' || request.family === 'atomic') {
      unanswered.asked(request.psn);
      this.#demands.held('mustBare', 'first', request, wrongBare(request), when);
    }
    return anew;
  }

  /** The PSN is that of an earlier packet. Gives whether it may be a copy. */
  #again(
    before: SeenRequest,
    request: SeenRequest,
    addressKey: string,
    when: When,
    repeats: () => boolean,
  ): boolean {
    const { naks } = this.#known;
    const demand = request.family === 'read' ? 'mustTarget' : 'mustSame';
    const wrong = wrongRepetition(before, request);
    this.#dispute(before, wrong);
    this.#demands.held(demand, 'repeat', before, wrong, when);
    if (wrong === undefined) this.#sameHeader(before, request, when);
    const near = when.t - before.lastSeen < captureLatitude().times.copy;
    const like = near && wrong === undefined && before.ipId === request.ipId;
    const copy = like && !naks.callFor(before);
    const refusal = naks.refused(before);
    if (copy) this.#around.copies.sawTwice(addressKey);
    else if (refusal !== undefined && !naks.mayHaveCrossed(refusal, when.t))
      this.#demands.retried(before, refusal, when, repeats());
    naks.asked(when.t);
    before.lastSeen = when.t;
    before.ipId = request.ipId;
    before.sights++;
    return copy;
  }

  /** It stands for the same: holds against it what of the BTH may not change. */
  #sameHeader(before: SeenRequest, request: SeenRequest, when: When): void {
    const partition = wrongPartition(before, request, 'in the first copy');
    if (partition !== undefined) this.#demands.held('mustHeader', 'repeat', before, partition, when);
    if (tellsSoftware(before))
      this.#demands.held('mustSolicit', 'repeat', before, wrongSolicited(before, request), when);
  }

  #dispute(before: SeenRequest, wrong: Difference | undefined): void {
    if (wrong === undefined) return;
    before.disputed = true;
    this.#disputes = true;
  }
}
