import { opcodeByName } from '../../spec/constants.ts';
import { count } from '../../report/text.ts';
import type { Packet } from '../../wire/packet.ts';

/** Of what the oracle says that it did not judge: responses that it could not tie to a request, and damaged ones. */
const untied = /^responses (that fit several connections|to requests that the capture does not hold)$/;
const damagedResponses = 'responses damaged on the way';

const readRequest = opcodeByName('RC_RDMA_READ_REQUEST');

/** What kinds of RC packets a capture shows, as far as it decides whether a clean result says anything. */
export class CapturedTraffic {
  #requests = 0;
  /** of these, such that call for a response */
  #asking = 0;
  #responses = 0;
  #withoutIcrc = 0;
  #wrongIcrc = 0;

  saw({ info, ackReq, atomicEth, icrc, icrcOk, opcode }: Packet): void {
    if (info?.service !== 'RC') return;
    if (icrc === 0 && !icrcOk) this.#withoutIcrc++;
    if (!icrcOk) this.#wrongIcrc++;
    if (info.kind === 'response') this.#responses++;
    else {
      this.#requests++;
      if (ackReq || atomicEth !== undefined || opcode === readRequest) this.#asking++;
    }
  }

  /** Whether no packet has a right ICRC. */
  get damaged(): boolean {
    return this.#wrongIcrc === this.#requests + this.#responses;
  }

  /** Why nothing wrong in it does not mean that the NICs are sound, in words for people. */
  doubts(notJudged: ReadonlyMap<string, number>): string[] {
    const [requests, responses] = [this.#requests, this.#responses];
    if (requests + responses === 0) return [];
    if (this.#withoutIcrc === requests + responses)
      return [
        'the ICRC of every packet is 0: the capture was taken before the NIC fills it in, and is not judged',
      ];
    if (this.damaged)
      return [
        'the ICRC of every packet is wrong: the capture tool cut or changed them, or a hop rewrites headers',
      ];
    if (requests === 0)
      return [`one direction only: ${count(responses, 'response')}, and none of the requests; capture both`];
    if (responses === 0 && this.#asking > 0)
      return [
        `${count(this.#asking, 'request')} that must be answered, and no response: one direction only, or a dead end`,
      ];
    const damaged = notJudged.get(damagedResponses) ?? 0;
    let lost = damaged;
    for (const [why, n] of notJudged) if (untied.test(why)) lost += n;
    const how = `could not be tied to a request${damaged > 0 ? ', or were damaged' : ''}`;
    return [
      ...(this.#withoutIcrc > 0
        ? [
            `the ICRC of ${count(this.#withoutIcrc, 'packet')} is 0: captured before the NIC fills it in, or sent like that`,
          ]
        : []),
      ...(2 * lost > responses
        ? [`${count(lost, 'response')} of ${responses} ${how}, and so were not judged`]
        : []),
    ];
  }
}
