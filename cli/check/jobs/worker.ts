import { parentPort, workerData } from 'node:worker_threads';
import { Judge, loadRules } from '../../../oracle/index.ts';
import { decode } from '../../../wire/index.ts';
import { packetIn } from '../frames.ts';
import {
  headNumbers,
  type Among,
  type Batch,
  type FromThread,
  type Terms,
  type ToThread,
} from './messages.ts';

/** A thread that judges the connections of a capture that are its share. */
const port = parentPort;
if (port === null) throw new Error('this file is the body of a worker thread');
const { header, live } = workerData as Terms;
const judge = new Judge(header, loadRules(), 'connections');
let posted = 0;

function say(message: FromThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  port?.postMessage(message);
}

function hear(one: Among): void {
  if ('note' in one) judge.note(one.note, one.event, one.order);
  else judge.push({ kind: 'gap', t: one.t, reason: one.gap }, one.event);
}

function take({ heads, bytes, among }: Batch): void {
  let at = 0;
  let next = 0;
  for (let i = 0; i * headNumbers < heads.length; i++) {
    for (let one = among[next]; one !== undefined && one.at <= i; one = among[++next]) hear(one);
    const [event = 0, t = 0, number = 0, length = 0] = heads.subarray(i * headNumbers, (i + 1) * headNumbers);
    const packet = packetIn(decode(bytes.subarray(at, (at += length))));
    if (packet !== undefined) judge.push({ kind: 'packet', t, direction: 'unknown', packet, number }, event);
  }
  for (const one of among.slice(next)) hear(one);
}

port.on('message', (message: ToThread) => {
  if ('events' in message) {
    say({ part: judge.part(message.events) });
    port.close();
    return;
  }
  take(message);
  const found = live ? judge.violations.slice(posted) : [];
  posted += found.length;
  say({ found });
});
