import type { Buffers } from '../setup/buffers.ts';
import type { End } from '../setup/end.ts';
import type { Parties } from '../setup/parties.ts';
import type { ScriptedPeer } from '../packets/scripted-peer.ts';
import { refusalOf, type Recorder } from '../recorder.ts';
import type { Rest } from '../rest.ts';
import type { Completions } from './completions.ts';
import { endOf, inTurn, type PostRecv, type PostSend } from './list.ts';
import { bindByCall } from '../windows.ts';
import { beforePost, recvWr, sendWr } from './requests.ts';

export interface PostOptions {
  parties: Parties;
  recorder: Recorder;
  completions: Completions;
  rest: Rest;
  far: ScriptedPeer;
}

/** The steps of one scenario that post work requests, each list of them in one call. */
export class Posts {
  private readonly options: PostOptions;

  constructor(options: PostOptions) {
    this.options = options;
  }

  async receive(steps: readonly [PostRecv, ...PostRecv[]]): Promise<void> {
    const { parties, recorder, rest } = this.options;
    const end = parties.of(endOf(steps[0]));
    if (end === undefined) return;
    // Whether a packet still on its way meets this WQE would be a matter of luck.
    if (rest.unsettled && end.ofDut && !steps.every(({ midway }) => midway === true)) await rest.settle();
    const { qp, verbs } = end;
    const srq = steps[0].own === true ? undefined : end.srq;
    const [wr, ...next] = await inTurn(steps, async (step) => {
      const n = end.posted.receive++;
      await this.prepare(end, end.receives, n);
      return recvWr(end, n, step);
    });
    const post = async (): Promise<void> =>
      srq === undefined ? verbs.post_recv(qp, wr, next) : verbs.post_srq_recv(srq, wr, next);
    if (!end.ofDut) return void (await refusalOf(post));
    // in the error state the WQE comes back at once, and that takes its time as well
    rest.active();
    await recorder.attemptList(
      qp,
      post,
      [wr, ...next].map((one) =>
        srq === undefined ? { call: 'post_recv', qp, wr: one } : { call: 'post_srq_recv', srq, wr: one },
      ),
    );
  }

  async send(steps: readonly [PostSend, ...PostSend[]]): Promise<void> {
    const { parties, recorder, completions, rest, far } = this.options;
    const end = parties.of(endOf(steps[0]));
    if (end === undefined) return;
    const { qp, verbs } = end;
    const [wr, ...next] = await inTurn(steps, async (step) => {
      const n = end.posted.send++;
      await this.prepare(end, end.sends, n);
      return sendWr(end, n, step.wr, parties.aimOf(end, far.targets));
    });
    rest.touch();
    const { bind_mw: binding } = wr;
    const post = async (): Promise<void> =>
      binding?.type === undefined ? verbs.post_send(qp, wr, next) : bindByCall(end, wr, binding);
    if (!end.ofDut) {
      if (steps[0].wr.signaled) rest.peerWork++;
      return void (await refusalOf(post));
    }
    // Packets of the DUT may be seen before the call returns.
    const asRequester = end.role === 'requester';
    if (asRequester) for (const step of steps) far.script.posted(step.wr);
    const posts = [wr, ...next].map((one) => ({ call: 'post_send' as const, qp, wr: one }));
    const taken = await recorder.attemptList(qp, post, posts);
    for (const [place, step] of steps.entries()) {
      const posted = posts[place];
      if (posted !== undefined && place < taken) completions.due(end, posted.wr.wr_id, step.wr.signaled);
      else if (asRequester) far.script.refused();
    }
  }

  /** Takes away the memory that a work request is to miss. */
  private async prepare(end: End, buffers: Buffers, n: number): Promise<void> {
    const { rest, recorder } = this.options;
    if (end.ofDut && buffers.faults[n] === 'deregistered' && rest.anyUnsettled) await rest.settle();
    await beforePost(end, buffers, n, recorder);
  }
}
