import type { Packet } from '../../../wire/packet.ts';
import { requestShape } from '../../device/packet/opcode-shape.ts';
import { QpEvent } from '../event.ts';
import { overlaps } from '../memory.ts';
import { bufferOf, receiveBuffer, remoteRights } from '../qp.ts';
import type { OooInputs } from '../variables.ts';
import type { OooResponderContext } from './context.ts';

/** What the expressions of the machine may ask of a packet that reaches a responder. */
export class ResponderEvent extends QpEvent {
  readonly #context: OooResponderContext;
  #buffer: OooInputs['buffer'] | undefined;
  #remote: OooInputs['remote'] | undefined;

  constructor(context: OooResponderContext, packet: Packet) {
    super(context.qp, context.device, packet);
    this.#context = context;
  }

  get opcode(): OooInputs['opcode'] {
    return requestShape(this.packet.opcode);
  }

  get queue(): OooInputs['queue'] {
    return this.#context.qp.posted;
  }

  get window(): OooInputs['window'] {
    const { window } = this.#context.arrivals;
    return { holds: window.has(this.packet.psn), others: window.size };
  }

  get record(): OooInputs['record'] {
    const { arrivals, qp } = this.#context;
    const kept = arrivals.record(this.packet.psn, qp.maxDestRdAtomic ?? 0);
    return { kept: kept !== undefined && kept.arrival.placed.work === this.opcode.family };
  }

  /** Receive WQE with the number that the packet carries, by its place in the queue. */
  get receive(): number | undefined {
    const found = this.#context.registers.number('receive', this);
    return found < 0 ? undefined : found;
  }

  get buffer(): OooInputs['buffer'] {
    return (this.#buffer ??= {
      ...receiveBuffer(
        this.#context.qp,
        this.packet,
        this.opcode.family === 'send' ? this.receive : undefined,
      ),
      overlaps: this.#overlaps,
    });
  }

  get #overlaps(): boolean {
    const { qp, registers } = this.#context;
    const { receive } = this;
    if (receive === undefined || this.opcode.family !== 'send') return false;
    const own = bufferOf(qp, receive);
    for (let older = registers.nextReceive; older < receive; older++)
      if (overlaps(own, bufferOf(qp, older))) return true;
    return false;
  }

  get remote(): OooInputs['remote'] {
    return (this.#remote ??= remoteRights(this.#context.qp, this.packet));
  }
}
