import fc from 'fast-check';
import { everyKind, message, type MessageKind } from '../arbitraries/message.ts';
import type { SuiteProperty } from '../property.ts';
import { play, scenarios, spare, turns } from './parts.ts';

function messages(name: string, says: string, kinds: readonly MessageKind[], aims: string[]): SuiteProperty {
  return {
    id: `rc-responder/${name}`,
    suite: 'rc-responder',
    says,
    arbitrary: (profile) =>
      scenarios(
        profile,
        fc.record({ all: turns(message(profile, kinds), 4), spare: spare() }),
        ({ mtu }, { all, spare }) => ({ steps: play(all, mtu, spare) }),
      ),
    aims,
  };
}

export const sends = messages(
  'send',
  'SENDs of any length, alone or in flight together, fill one receive WQE each and are acknowledged.',
  ['send', 'send-imm'],
  [
    'rc-send-packet-asked',
    'rc-send-complete-asked',
    'rc-receive-completes',
    'rc-receive-order',
    'rc-receive-length',
  ],
);

export const writes = messages(
  'write',
  'RDMA WRITEs of any length at either end of a region write exactly their bytes and are acknowledged.',
  ['write', 'write-imm'],
  ['rc-write-packet-asked', 'rc-write-complete-asked', 'rc-write-immediate-asked', 'rc-memory-written'],
);

export const reads = messages(
  'read',
  'RDMA READs of any length are answered by the memory asked for, in packets that fill the path MTU.',
  ['read', 'write'],
  ['rc-read-executed', 'rc-read-data'],
);

export const mixed = messages(
  'mixed',
  'Messages of all kinds in flight together are carried out and answered in the order of their PSNs.',
  everyKind,
  ['rc-msn-counts-messages', 'rc-ack-credits', 'rc-response-header', 'rc-response-addressee'],
);
