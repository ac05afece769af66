import { FaultWire, type Direction } from '../../../adapters/fault-wire/index.ts';
import type { PathSwitch } from '../../../adapters/switch/index.ts';
import type { Scenario } from '../../scenario.ts';
import type { Recorder } from '../recorder.ts';
import type { SharedBench } from '../shared-bench.ts';
import { switchOnPath } from './path.ts';

export interface CableOptions {
  session: SharedBench;
  scenario: Scenario;
  recorder: Recorder;
  /** a frame is about to reach the DUT; `cnp` where it is a CNP */
  reachesDut: (cnp: boolean) => void;
  /** a frame reaches the far end */
  reachesPeer: (frame: Uint8Array) => void;
}

/** What lies between the DUT and the far end of one scenario: the faults of the wire, and a switch where the scenario has one. */
export class Cable {
  readonly wire: FaultWire | undefined;
  path: PathSwitch | undefined;
  private readonly options: CableOptions;
  private readonly toDut: Direction;
  private readonly fromDut: Direction;
  private readonly sent: Uint8Array[] = [];

  constructor(options: CableOptions) {
    const { session, scenario, recorder } = options;
    this.options = options;
    this.toDut = scenario.dut === 'responder' ? 'to-responder' : 'to-requester';
    this.fromDut = scenario.dut === 'responder' ? 'to-requester' : 'to-responder';
    this.wire =
      scenario.faults.length === 0
        ? undefined
        : new FaultWire({
            clock: session.bench.clock,
            faults: scenario.faults,
            firstPsn: scenario.requester.startPsn,
            deliver: this.carry.bind(this),
            told: (way, packet, fate) => recorder.mark(way === this.toDut, packet, fate),
          });
  }

  /** Its time begins. */
  begin(): void {
    const { session, scenario, recorder } = this.options;
    this.path = switchOnPath(session, scenario, recorder, (frame) => this.arrive('to-responder', frame));
  }

  /** A frame leaves the far end. */
  send(frame: Uint8Array): void {
    this.sent.push(frame);
    this.pass(this.toDut, frame);
  }

  /** Sends a frame of the far end again: the last one, or one that lies `back` before it. */
  sendAgain(back: number): void {
    const frame = this.sent[this.sent.length - 1 - back];
    if (frame !== undefined) this.send(frame);
  }

  /** A frame has left the DUT. */
  sendFromDut(frame: Uint8Array): void {
    this.pass(this.fromDut, frame);
  }

  /** Ends what it keeps running. */
  close(): void {
    this.wire?.close();
    this.path?.close();
  }

  private pass(direction: Direction, frame: Uint8Array): void {
    if (this.wire !== undefined) this.wire.send(direction, frame);
    else this.carry(direction, frame);
  }

  /** A frame behind the faults of the wire, on its way to one end: that to the responder may lead through a switch. */
  private carry(direction: Direction, frame: Uint8Array): void {
    if (direction === 'to-responder' && this.path !== undefined) this.path.send(frame);
    else this.arrive(direction, frame);
  }

  private arrive(direction: Direction, frame: Uint8Array): void {
    if (direction === this.toDut) this.reachDut(frame);
    else this.options.reachesPeer(frame);
  }

  private reachDut(frame: Uint8Array): void {
    const { session, recorder, reachesDut } = this.options;
    reachesDut(recorder.frame('to-dut', frame)?.info?.kind === 'cnp');
    session.wire?.send(frame);
  }
}
