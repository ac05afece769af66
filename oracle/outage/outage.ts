import type { Wc } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import { psnDiff } from '../../wire/psn.ts';
import { answerOf } from '../device/packet/answer.ts';
import { endOf } from '../device/queues/send-queue.ts';
import type { WorkItem } from '../device/queues/send-queue.ts';
import type { RequesterJudge } from '../rc-requester/judge.ts';
import { nameOf, runningTime, timeoutInUse } from '../rc-requester/requester.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { MachineBook } from '../rulebook/machine-book.ts';
import type { Met } from '../rulebook/machine-tables.ts';
import type { When } from '../spot.ts';
import type { OutageRules, OutageTable } from './machine.ts';
import { OutageVariables } from './variables.ts';
import type { OutageInputs } from './variables.ts';

type Left = NonNullable<RequesterJudge['left']>;
type Status = OutageInputs['wc']['status'];

function statusOf({ status }: Wc): Status {
  if (status === 'IBV_WC_SUCCESS') return 'success';
  if (status === 'IBV_WC_RETRY_EXC_ERR') return 'retries';
  if (status === 'IBV_WC_WR_FLUSH_ERR') return 'flush';
  return status.startsWith('IBV_WC_LOC_') ? 'local' : 'other';
}

/** Ways to complete that a rule may forbid. */
const ends = ['mustSucceed', 'mustExhaust', 'mustRefuse'] as const;

function expectedOf(key: (typeof ends)[number], item: WorkItem): string {
  switch (key) {
    case 'mustSucceed':
      return `no success of ${nameOf(item)} before an answer to it`;
    case 'mustExhaust':
      return `no failure of ${nameOf(item)} before its retries are spent`;
    case 'mustRefuse':
      return `no error of the far end for ${nameOf(item)} without a NAK or an answer`;
  }
}

/** Answers that leave the requester as it is, or bring it on. */
const gains: ReadonlySet<string> = new Set(['ack', 'read-response', 'atomic-ack']);

/** What must come of one requester that had something to send without a link, whatever it has sent since. */
export class Outage {
  readonly #rules: OutageRules;
  readonly #book: MachineBook<OutageTable, OutageVariables, OutageInputs>;
  readonly #requester: RequesterJudge['requester'];
  readonly #variables = new OutageVariables();
  readonly #attr: OutageInputs['attr'];
  readonly #timeout: number;
  readonly #left: Left;
  readonly #begun: number;
  /** first work request that is not surely answered */
  #head: number;
  /** newest PSN that an answer has had */
  #answered: number | undefined;
  /** those behind it that have completed */
  readonly #completed = new Set<number>();
  /** time of the last post or answer */
  #quiet: number;
  #linked = 0;

  /** `begun`: earliest time that the link may have gone down, or that something was posted without it. */
  constructor(
    rules: OutageRules,
    ledger: Ledger,
    { requester, state }: Pick<RequesterJudge, 'requester' | 'state'>,
    left: Left,
    begun: number,
  ) {
    this.#rules = rules;
    this.#requester = requester;
    this.#book = new MachineBook(rules.tables, ledger, { qp: requester.connection.name });
    rules.machine.start({}, this.#variables);
    this.#attr = { retry_cnt: requester.attributes.retryCnt };
    this.#timeout = timeoutInUse(requester, state);
    this.#left = left;
    this.#head = state.head;
    this.#begun = this.#quiet = begun;
  }

  #met(t: number, more: Partial<OutageInputs>): Met<OutageVariables, OutageInputs> {
    const requester = this.#requester;
    const inputs = {
      attr: this.#attr,
      path: { timeout: this.#timeout },
      device: { minTimeout: requester.minTimeout },
      begun: { left: this.#left.retries, lasts: t - this.#begun, idle: this.#left.idle },
      quiet: { ran: runningTime(requester, this.#quiet, t) },
      linked: { ran: runningTime(requester, this.#linked, t) },
      event: { slack: requester.timing.responseTime },
      ...more,
    };
    return { inputs, variables: this.#variables };
  }

  #step(name: Parameters<OutageRules['machine']['step']>[0]): void {
    this.#rules.machine.step(name)({}, this.#variables);
  }

  link(up: boolean, t: number): void {
    this.#step(up ? 'linkUp' : 'linkDown');
    this.#linked = t;
  }

  posted(t: number): void {
    this.#quiet = t;
  }

  sent(): void {
    this.#step('packetSeen');
  }

  /** Whether it is still known what must come after this answer. */
  arrived(packet: Packet, t: number): boolean {
    if (!gains.has(answerOf(packet).kind)) return false;
    this.#quiet = t;
    const reads = this.#work.some(({ kind }) => kind === 'read' || kind === 'atomic');
    this.#rules.machine.step('answerSeen')({ work: { some: true, reads, answered: true } }, this.#variables);
    const { psn } = packet;
    if (this.#answered === undefined || psnDiff(psn, this.#answered) > 0) this.#answered = psn;
    return true;
  }

  #isAnswered(item: WorkItem): boolean {
    return (
      item.index < this.#head || (this.#answered !== undefined && psnDiff(this.#answered, endOf(item)) >= -1)
    );
  }

  get #work(): WorkItem[] {
    const { work } = this.#requester;
    return [...work.between(this.#head, work.length)].filter(({ index }) => !this.#completed.has(index));
  }

  completed(wc: Wc, when: When): void {
    const item = this.#work.find(({ wr }) => wr.wr_id === wc.wr_id);
    if (item === undefined) return;
    this.#completed.add(item.index);
    const work = { some: true, reads: false, answered: this.#isAnswered(item) };
    const met = this.#met(when.t, { work, wc: { status: statusOf(wc) } });
    const rules = this.#book.decide('completion', met);
    for (const key of ends)
      for (const rule of this.#book.unmet(rules, key, met))
        this.#book.violate(rule, when, expectedOf(key, item), `${wc.status} for wr_id ${wc.wr_id}`);
    this.#rules.machine.step('completed')(met.inputs, this.#variables);
  }

  /** Everything that waits for no timer has had its time. Gives whether more may be known of it later. */
  settle(t: number): boolean {
    const open = this.#work.filter((item) => !this.#isAnswered(item));
    const [oldest] = open;
    const met = this.#met(t, { work: { some: open.length > 0, reads: false, answered: false } });
    const rules = this.#book.decide('rest', met);
    const at = { event: oldest?.event ?? 0, t };
    const fails = this.#book.unmet(rules, 'mustGiveUp', met);
    const resends = this.#book.unmet(rules, 'mustResend', met);
    for (const rule of fails)
      this.#book.violate(rule, at, `IBV_WC_RETRY_EXC_ERR for ${nameOf(oldest)}`, 'no completion');
    for (const rule of resends)
      this.#book.violate(rule, at, `${nameOf(oldest)} sent again`, 'nothing sent since the link came up');
    return fails.length + resends.length === 0;
  }
}
