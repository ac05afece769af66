import { describe, expect, it } from 'vitest';
import { ReferenceNic, type ReferenceNicOptions } from '../../../../adapters/reference/index.ts';
import { VirtualClock } from '../../../../adapters/virtual-clock.ts';
import { ends } from '../pair.ts';

/** Which contexts are told of a lost link, and of a QP that has failed. */
function received(variant: Pick<ReferenceNicOptions, 'mutant' | 'sound'> = {}): string[][] {
  const nic = new ReferenceNic({
    clock: new VirtualClock(),
    endpoint: ends[0],
    send: () => undefined,
    ...variant,
  });
  const seen: string[] = [];
  nic.verbs.onAsyncEvent(() => seen.push('owner'));
  nic.verbs.onSecondContextEvent?.(() => seen.push('other'));
  nic.setLink(false);
  const ofPort = seen.splice(0);
  nic.device.raise({ event_type: 'IBV_EVENT_QP_FATAL', qp_num: 0x11 });
  return [ofPort, seen];
}

describe('user contexts of the reference NIC', () => {
  it('are both told of the port, and the owner alone of its objects', () => {
    expect(received()).toEqual([['owner', 'other'], ['owner']]);
  });

  it('may be told in the other order', () => {
    expect(received({ sound: 'other-context-first' })).toEqual([['other', 'owner'], ['owner']]);
  });

  it('are told otherwise by mutants', () => {
    expect(received({ mutant: 'event-to-every-context' })).toEqual([
      ['owner', 'other'],
      ['owner', 'other'],
    ]);
    expect(received({ mutant: 'port-event-to-one-context' })).toEqual([['owner'], ['owner']]);
    expect(received({ mutant: 'port-event-past-owner' })).toEqual([['other'], ['owner']]);
  });
});
