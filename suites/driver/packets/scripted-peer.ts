import type { QpAttr, QpState } from '../../../spec/verbs.ts';
import type { Packet } from '../../../wire/packet.ts';
import type { Scenario, Step } from '../../scenario.ts';
import { inventedRegions, Script } from './script.ts';
import type { SharedBench } from '../shared-bench.ts';
import { qkeyOf } from '../setup/attributes.ts';
import type { End } from '../setup/end.ts';
import type { Parties } from '../setup/parties.ts';
import { PsnTracker } from './tracker.ts';
import type { Cable } from './cable.ts';
import { craft } from './craft.ts';
import { respond } from './respond.ts';

export interface ScriptedPeerOptions {
  session: SharedBench;
  scenario: Scenario;
  parties: Parties;
  cable: Cable;
  /** place of the scenario among those on the device */
  number: number;
}

/** The far end of one scenario as far as it sends crafted packets, and what it has seen of the DUT to aim them. */
export class ScriptedPeer {
  readonly script: Script;
  private readonly options: ScriptedPeerOptions;
  private readonly tracker: PsnTracker;
  private readonly invented: End['regions'];
  private ordinal: number;
  /** the scenario as the steps go by it: path MTU and first PSN of the life that the DUT's QP is in */
  private life: Scenario;

  constructor(options: ScriptedPeerOptions) {
    const { scenario, number } = options;
    this.options = options;
    this.life = scenario;
    this.script = new Script(scenario);
    this.tracker = new PsnTracker(this.firstPsn, scenario.service);
    this.invented = inventedRegions(scenario);
    // payloads of two scenarios differ
    this.ordinal = 37 * number;
  }

  /** Regions that requests aim at, wherever they live. */
  get targets(): End['regions'] {
    const { parties, scenario } = this.options;
    return parties.of('responder')?.regions ?? (scenario.peer === 'scripted' ? this.invented : []);
  }

  inject({ packet }: Extract<Step, { do: 'inject' }>): undefined {
    const { session, parties, cable } = this.options;
    const scenario = this.life;
    const made = craft(packet, {
      scenario,
      dut: session.bench.dut,
      peer: session.bench.peer,
      destQp: parties.dut.qpNum,
      srcQp: parties.sourceOf(packet),
      qkey: qkeyOf(scenario[scenario.dut]),
      regions: this.targets,
      former: parties.dut.former,
      windows: parties.dut.windows,
      belongings: (number) => parties.belongingsOf(number),
      next: this.tracker.next,
      ordinal: this.ordinal++,
    });
    if (made.psns > 0) this.tracker.sent(made.psn, made.psns, made.begins);
    cable.send(made.frame);
  }

  respond({ packet }: Extract<Step, { do: 'respond' }>): undefined {
    const { session, parties, cable } = this.options;
    const { dut, peer } = session.bench;
    cable.send(
      respond(packet, { scenario: this.life, script: this.script, dut, peer, destQp: parties.dut.qpNum }),
    );
  }

  /** A packet of the DUT came. */
  seen(packet: Packet): void {
    if (this.options.scenario.dut === 'responder') this.tracker.seen(packet);
    this.script.seen(packet);
  }

  /** The DUT's QP has another state; the far end follows these attributes. */
  moved(state: QpState, followed: Pick<QpAttr, 'path_mtu' | 'rq_psn' | 'sq_psn'> = {}): void {
    if (state === 'IBV_QPS_RESET') this.begin(this.options.scenario);
    const { dut, mtu, requester } = this.life;
    const { path_mtu = mtu, [dut === 'responder' ? 'rq_psn' : 'sq_psn']: startPsn = requester.startPsn } =
      followed;
    if (path_mtu !== mtu || startPsn !== requester.startPsn)
      this.begin({ ...this.life, mtu: path_mtu, requester: { ...requester, startPsn } });
    if (state === 'IBV_QPS_RTR') this.tracker.next = this.firstPsn;
  }

  /** A life of the DUT's QP begins, or its attributes come to be known. */
  private begin(life: Scenario): void {
    this.life = life;
    this.script.restart(life);
  }

  /** PSN that the DUT's peer begins with. */
  private get firstPsn(): number {
    const { dut, requester, responder } = this.life;
    return (dut === 'responder' ? requester : responder).startPsn;
  }
}
