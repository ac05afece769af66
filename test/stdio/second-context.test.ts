import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { agentClient } from '../../adapters/agent/client.ts';
import { parseFromAgent } from '../../adapters/agent/protocol.ts';
import { remoteVerbs } from '../../adapters/agent/remote-verbs.ts';
import { realClock } from '../../adapters/real-clock.ts';

const event = { event_type: 'IBV_EVENT_PORT_ERR', port_num: 1 };

describe('events of a second user context on a line', () => {
  it('are kept apart from those of the first, also by devices that have one', async () => {
    const input = new PassThrough();
    const client = agentClient({ input, output: new PassThrough() }, { limitMs: 1000 });
    const verbs = remoteVerbs(client, realClock());
    const seen: string[] = [];
    verbs.onAsyncEvent(({ event_type }) => seen.push(`first ${event_type}`));
    verbs.onSecondContextEvent?.(({ event_type }) => seen.push(`second ${event_type}`));
    for (const line of [{ async: event, context: 'second' }, { async: event }])
      input.write(`${JSON.stringify(line)}\n`);
    await new Promise((next) => setImmediate(next));
    expect(seen).toEqual(['second IBV_EVENT_PORT_ERR', 'first IBV_EVENT_PORT_ERR']);
    expect(client.failure()).toBeUndefined();
  });

  it('name no other context', () => {
    for (const context of ['third', 2, null])
      expect(() => parseFromAgent(JSON.stringify({ async: event, context }))).toThrow(/context/);
  });
});
