import type { Adapter } from '../../adapters/adapter.ts';
import { realClock } from '../../adapters/real-clock.ts';
import { ReferenceNic, referenceAdapter } from '../../adapters/reference/index.ts';

/** Smallest timeout code: 16.8 ms, which Node's timers can tell from nothing. */
const minTimeout = 12;

/** The reference NIC on the wall clock, one bench for many scenarios at a time, as a real device is driven. */
export function realTimeReference(concurrency: number, responseTime: number): Adapter {
  const inner = referenceAdapter();
  const describe: Adapter['describe'] = async () => ({
    ...(await inner.describe()),
    name: 'reference in real time',
    clock: 'real',
    concurrency,
    responseTime,
    minTimeout,
    wireJitter: 10e6,
  });
  return {
    name: 'reference in real time',
    describe,
    open: async (options) => {
      const virtual = await inner.open(options);
      const { dut, peer } = virtual;
      const clock = realClock();
      let listener: ((frame: Uint8Array, time: number) => void) | undefined;
      const nic = new ReferenceNic({
        clock,
        endpoint: dut,
        neighbours: [peer],
        config: { minTimeout },
        send: (frame) => {
          // Not within the call that made the DUT send: a wire takes time.
          setImmediate(() => listener?.(frame, clock.now()));
        },
      });
      return {
        profile: await describe(),
        clock,
        verbs: nic.verbs,
        wire: {
          send: (frame) => {
            nic.receive(frame);
          },
          onFrame: (next) => {
            listener = next;
          },
        },
        onRate: (listener) => {
          nic.onRate(listener);
        },
        dut,
        peer,
        close: async () => virtual.close(),
      };
    },
  };
}
