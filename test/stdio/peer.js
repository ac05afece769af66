// A device beyond a pipe that misbehaves in one way: node peer.js FAULT PIDFILE. Sound until then: it is the reference NIC.
// "--list" prints the faults. Plain JavaScript on what was built, so that a process starts fast.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { closeSync, writeSync } from 'node:fs';

const write = (text) => {
  for (let bytes = Buffer.from(text, 'latin1'); bytes.length > 0;) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes));
    } catch (error) {
      if (error.code !== 'EAGAIN') process.exit(3);
    }
  }
};
const line = (message) => `${JSON.stringify(message)}\n`;
const deaf = () => process.stdin.removeAllListeners('data').pause();
/** Stays, whatever happens to its pipes. */
const linger = () => void setInterval(() => undefined, 1000);

/** In place of the answer to a call: `text` is written, and nothing more where `stop`. */
const text = (make, stop = false) => ({
  answer: (message) => {
    write(make(message));
    if (stop) linger();
  },
});
const ok = (change) => text(({ id, ok: value }) => line({ id, ok: change(value) }));
const insteadOf = (value) => ok(() => value);
const hello = (change) => ({
  on: 'hello',
  ...ok((value) => structuredClone(change(structuredClone(value)))),
});
const exit = (code) => ({ answer: () => process.exit(code) });
const profile = (change) => hello((value) => ({ ...value, profile: { ...value.profile, ...change } }));
const frame = Buffer.alloc(60).toString('base64');

/** `on`: the call whose answer is spoilt; `nth`: how many of them are sound before. */
const faults = {
  'says nothing': { start: linger },
  'ends at once': { start: () => process.exit(0) },
  'ends at once with 1': { start: () => process.exit(1) },
  'begins with a banner': { start: () => write('Welcome to the device\n') },
  'begins with a byte order mark': { start: () => write('\u00ef\u00bb\u00bf') },
  'ends in the middle': { on: 'poll_cq', nth: 9, ...exit(0) },
  'ends by a signal': { on: 'poll_cq', nth: 9, answer: () => process.kill(process.pid, 'SIGKILL') },
  'half a line, then ends': {
    on: 'poll_cq',
    nth: 9,
    answer: () => {
      write('{"id":4,"o');
      process.exit(0);
    },
  },
  'half a line, then nothing': { on: 'poll_cq', nth: 9, ...text(() => '{"id":4,"o', true) },
  'no answer': { on: 'poll_cq', nth: 9, answer: linger },
  'no answer to a frame': { on: 'deliver', nth: 30, answer: linger },
  'no answer to advance': { on: 'advance', nth: 40, answer: linger },
  'ignores signals': {
    on: 'poll_cq',
    nth: 9,
    answer: () => {
      for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => undefined);
      deaf();
      linger();
    },
  },
  'stops itself': { on: 'poll_cq', nth: 9, answer: () => process.kill(process.pid, 'SIGSTOP') },
  'leaves a child behind': {
    on: 'poll_cq',
    nth: 9,
    answer: () => {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      appendFileSync(process.argv[3], `${child.pid}\n`);
      process.exit(0);
    },
  },
  'closes its stdin': {
    on: 'poll_cq',
    nth: 9,
    answer: () => {
      process.stdin.destroy();
      linger();
    },
  },
  'closes its stdout': {
    on: 'poll_cq',
    nth: 9,
    answer: () => {
      closeSync(1);
      linger();
    },
  },
  'a line of text': { on: 'alloc_pd', ...text(() => 'Segmentation fault\n') },
  'binary garbage': { on: 'alloc_pd', ...text(() => '\u0000\u00ff\u00fe\u0080\n') },
  'an empty line': { on: 'alloc_pd', ...text((m) => `\n${line(m)}`) },
  'a number': { on: 'alloc_pd', ...text(() => '42\n') },
  'an array': { on: 'alloc_pd', ...text(() => '[]\n') },
  null: { on: 'alloc_pd', ...text(() => 'null\n') },
  'cut JSON': { on: 'create_qp', nth: 4, ...text((m) => `${line(m).slice(0, -4)}\n`) },
  'two answers on a line': { on: 'alloc_pd', ...text((m) => line(m).trim() + line(m)) },
  NaN: { on: 'alloc_pd', ...text(({ id }) => `{"id":${id},"ok":NaN}\n`) },
  'a message nobody knows': { on: 'alloc_pd', ...text((m) => line({ status: 'fine' }) + line(m)) },
  'a call of its own': { on: 'alloc_pd', ...text((m) => line({ id: 1, call: 'hello', args: {} }) + line(m)) },
  'nested beyond reason': {
    on: 'alloc_pd',
    ...text(() => `{"id":1,"ok":${'['.repeat(50_000)}${']'.repeat(50_000)}}\n`),
  },
  'an id that nobody asked for': { on: 'alloc_pd', nth: 3, ...text((m) => line({ ...m, id: m.id + 1000 })) },
  'an id as text': { on: 'alloc_pd', ...text((m) => line({ ...m, id: String(m.id) })) },
  'a negative id': { on: 'alloc_pd', ...text((m) => line({ ...m, id: -m.id })) },
  'half an id': { on: 'alloc_pd', ...text((m) => line({ ...m, id: m.id + 0.5 })) },
  'no id': { on: 'alloc_pd', ...text(({ ok: value }) => line({ ok: value })) },
  'the same answer twice': { on: 'alloc_pd', nth: 3, ...text((m) => line(m) + line(m)) },
  'answer and error at once': {
    on: 'alloc_pd',
    ...text((m) => line({ ...m, error: { call: 'alloc_pd', message: 'no', errno: 12 } })),
  },
  'an errno as text': {
    on: 'alloc_pd',
    ...text(({ id }) => line({ id, error: { call: 'alloc_pd', message: 'no', errno: 'ENOMEM' } })),
  },
  'an error without a message': { on: 'alloc_pd', ...text(({ id }) => line({ id, error: { errno: 12 } })) },
  'escape codes': {
    on: 'alloc_pd',
    ...text(({ id }) =>
      line({ id, error: { call: 'alloc_pd', message: '\u001b]0;mine\u0007\u001b[2J\u009b31m' } }),
    ),
  },
  'a mistake of its own': {
    on: 'alloc_pd',
    ...text(({ id }) => line({ id, error: { call: 'alloc_pd', message: "KeyError('pd')" } })),
  },
  'a handle as text': { on: 'alloc_pd', ...insteadOf('three') },
  'a negative handle': { on: 'alloc_pd', ...insteadOf(-3) },
  'a handle beyond all numbers': { on: 'alloc_pd', ...insteadOf(1e300) },
  'a QP without a number': { on: 'create_qp', ...ok(({ qp }) => ({ qp })) },
  'a QP number of 25 bits': { on: 'create_qp', ...ok((qp) => ({ ...qp, qp_num: 1 << 24 })) },
  'a key of 33 bits': { on: 'reg_mr', ...ok((mr) => ({ ...mr, rkey: 2 ** 32 })) },
  'a QP with more than was asked': { on: 'create_qp', ...ok((qp) => ({ ...qp, colour: 'red' })) },
  'completions that are no list': { on: 'poll_cq', nth: 2, ...insteadOf({}) },
  'a completion with a status of its own': {
    on: 'poll_cq',
    nth: 2,
    ...insteadOf([{ wr_id: 1, status: 'FINE', qp_num: 17 }]),
  },
  'an address as a number': { on: 'reg_mr', ...ok((mr) => ({ ...mr, addr: 65536 })) },
  'memory that is no base64': { on: 'read_memory', nth: 3, ...insteadOf('*') },
  'less memory than asked for': { on: 'read_memory', nth: 3, ...insteadOf('AAAA') },
  'a state that there is not': { on: 'query_qp', ...ok((attr) => ({ ...attr, qp_state: 'RTS' })) },
  'a line without end': {
    on: 'poll_cq',
    nth: 9,
    answer: () => {
      for (;;) write('x'.repeat(1 << 20));
    },
  },
  'a flood of frames': {
    on: 'poll_cq',
    nth: 9,
    answer: () => {
      for (;;) write(line({ frame }).repeat(100));
    },
  },
  'a flood of events': {
    on: 'deliver',
    nth: 30,
    answer: () => {
      for (;;) write(line({ cq: 1 }).repeat(100));
    },
  },
  'a frame that nothing brought about': {
    on: 'poll_cq',
    nth: 9,
    ...text((m) => {
      setTimeout(() => write(line({ frame })), 1);
      deaf();
      setTimeout(linger, 2);
      return line(m);
    }),
  },
  'a frame that is no base64': { on: 'advance', ...text((m) => line({ frame: '?' }) + line(m)) },
  'a frame of numbers': { on: 'advance', ...text((m) => line({ frame: [1, 2, 3] }) + line(m)) },
  'a frame of no bytes': { on: 'advance', nth: 40, ...text((m) => line({ frame: '' }) + line(m)) },
  'a frame of 10 MB': {
    on: 'advance',
    nth: 40,
    ...text((m) => line({ frame: Buffer.alloc(10 << 20).toString('base64') }) + line(m)),
  },
  'talks to stderr without end': {
    on: 'poll_cq',
    nth: 9,
    answer: () => {
      for (;;) writeSync(2, 'x'.repeat(1 << 20));
    },
  },
  'leaves a daemon behind': {
    on: 'poll_cq',
    nth: 9,
    answer: () => {
      // a session of its own, and a parent that has gone
      const child = spawn('sh', ['-c', 'setsid sleep 100 & echo $!'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      child.stdout.on('data', (pid) => {
        appendFileSync(process.argv[3], `${String(pid).trim()}\n`);
        process.exit(0);
      });
    },
  },
  'an event without a type': { on: 'advance', ...text((m) => line({ async: { qp_num: 17 } }) + line(m)) },
  'an event with a type of its own': {
    on: 'advance',
    ...text((m) => line({ async: { event_type: 'FIRE' } }) + line(m)),
  },
  'a clock that runs ahead': { on: 'advance', nth: 40, ...ok((t) => ({ ...t, now: t.now + 5 })) },
  'a clock that goes back': { on: 'advance', nth: 40, ...ok((t) => ({ ...t, now: 0 })) },
  'a clock that stops for no reason': { on: 'advance', nth: 40, ...ok((t) => ({ ...t, now: t.now - 1 })) },
  'a clock in fractions': { on: 'advance', nth: 40, ...ok((t) => ({ ...t, now: t.now + 0.5 })) },
  'a timer in the past': { on: 'advance', nth: 40, ...ok((t) => ({ ...t, next: 0 })) },
  'no word of timers': { on: 'advance', nth: 40, ...ok(({ now }) => ({ now })) },
  'a clock that stands, and frames': {
    on: 'advance',
    every: true,
    nth: 40,
    answer: (m, { args }) => {
      peerTime ??= args.to - 1;
      write(line({ frame }) + line({ id: m.id, ok: { now: peerTime, next: peerTime } }));
    },
  },
  'another protocol': hello((value) => ({ ...value, protocol: 2 })),
  'no profile': hello((value) => ({ ...value, profile: undefined })),
  'no peer': hello((value) => ({ ...value, peer: undefined })),
  'a clock that there is not': profile({ clock: 'declared' }),
  'a capability that there is not': profile({ capabilities: ['rc', 'flying'] }),
  'no MTU': profile({ pathMtus: [] }),
  'no IP version': profile({ ipVersions: [] }),
  'an IPv4 address that is none': hello((value) => ({ ...value, dut: { ...value.dut, ipv4: '300.1.1.1' } })),
  'an IPv6 address that is none': hello((value) => ({
    ...value,
    peer: { ...value.peer, ipv6: 'fd00::1::2' },
  })),
  'the address of the device for the peer': hello((value) => ({
    ...value,
    peer: { ...value.peer, ipv4: value.dut.ipv4 },
  })),
  'a response time of days': profile({ responseTime: 1e15 }),
  'a capability that is none': profile({ capabilities: ['rc', 'rdma-read'] }),
  'no address of its IP version': hello((value) => ({ ...value, peer: { ...value.peer, ipv6: undefined } })),
  'the number of a QP of management': { on: 'create_qp', ...ok((value) => ({ ...value, qp_num: 1 })) },
  'an answer without ok': { on: 'alloc_pd', ...text(({ id }) => line({ id, result: 1 })) },
  'a message that is none': { on: 'alloc_pd', ...text((m) => line({ irq: 3 }) + line(m)) },
  'an MTU that there is not': profile({ pathMtus: [1500] }),
  'a MAC address that is none': hello((value) => ({ ...value, dut: { ...value.dut, mac: 'mine' } })),
  'refuses the greeting': {
    on: 'hello',
    ...text(({ id }) => line({ id, error: { call: 'hello', message: 'go away', errno: 1 } })),
  },
  'refuses to begin anew': {
    on: 'reset',
    nth: 1,
    ...text(({ id }) => line({ id, error: { call: 'reset', message: 'no', errno: 22 } })),
  },
  'refuses frames': {
    on: 'deliver',
    nth: 30,
    ...text(({ id }) => line({ id, error: { call: 'deliver', message: 'no', errno: 22 } })),
  },
};

let peerTime;

async function main(name, pidFile) {
  const fault = faults[name];
  appendFileSync(pidFile, `${process.pid}\n`);
  fault.start?.();
  if (fault.start === linger) return;
  const { serveAdapter } = await import('../../dist/adapters/stdio/serve.js');
  const { referenceAdapter } = await import('../../dist/adapters/index.js');
  const asked = new Map();
  let met = 0;
  const server = serveAdapter(referenceAdapter(), put, () => undefined);
  function put(sound) {
    const message = JSON.parse(sound);
    const request = asked.get(message.id);
    if (request?.call !== fault.on || 'error' in message) return write(sound);
    const n = met++ - (fault.nth ?? 0);
    if (n === 0 || (n > 0 && fault.every)) fault.answer(message, request);
    else write(sound);
  }
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const request of lines) {
      const parsed = JSON.parse(request);
      asked.set(parsed.id, parsed);
      server.take(request);
    }
  });
}

if (process.argv[2] === '--list') console.log(JSON.stringify(Object.keys(faults)));
else await main(process.argv[2], process.argv[3]);
