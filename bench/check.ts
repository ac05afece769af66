/**
 * Judging a capture against tshark dissecting the same file: `npm run build && npx tsx bench/check.ts [packets]`. Prints what both cost in
 * one run, the whole command with its start and its table of connections, on one thread and on several, for a capture and one ten times as long.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { opcodeByName } from '../spec/constants.ts';
import { builtFile } from '../spec/load.ts';
import { encode, psnAdd, writePcap } from '../wire/index.ts';
import type { CapturedPacket } from '../wire/index.ts';

const command = builtFile('cli/main.js');
/** Bytes in front of the packets of a pcap file, and packets that are written at a time. */
const pcapHeader = 24;
const partOf = 100_000;
const directory = mkdtempSync(join(tmpdir(), 'rdma-conform-bench-'));

/** WRITEs of three packets, SENDs and READs on eight connections, with their responses, some lost and repeated. */
function* traffic(count: number): Generator<CapturedPacket> {
  const base = { requester: '10.0.0.2', responder: '10.0.0.1' };
  const state = Array.from({ length: 8 }, (_, i) => ({ qp: 0x100 + i, psn: 0xfffff0 + i * 1000, msn: 0 }));
  const body = new Uint8Array(1024).fill(0x5a);
  let time = 1_700_000_000_000_000_000n;
  let sent = 0;
  const packet = (fields: Parameters<typeof encode>[0]): CapturedPacket => ({
    time: (time += 700n),
    data: encode(fields),
  });
  for (let i = 0; sent < count; i++) {
    const qp = state[i % state.length]!;
    const to = { destQp: qp.qp, srcIp: base.requester, dstIp: base.responder };
    const from = { destQp: qp.qp + 0x100, srcIp: base.responder, dstIp: base.requester };
    const aeth = (): { syndrome: number; msn: number } => ({ syndrome: 0x1f, msn: qp.msn & 0xffffff });
    const next = (): number => (qp.psn = psnAdd(qp.psn, 1));
    const out: Parameters<typeof encode>[0][] = [];
    const reth = { va: 0x1000n, rkey: 7, dmaLen: 3072 };
    if (i % 3 === 0) {
      out.push({ ...to, opcode: opcodeByName('RC_RDMA_WRITE_FIRST'), psn: next(), reth, payload: body });
      out.push({ ...to, opcode: opcodeByName('RC_RDMA_WRITE_MIDDLE'), psn: next(), payload: body });
      out.push({
        ...to,
        opcode: opcodeByName('RC_RDMA_WRITE_LAST'),
        psn: next(),
        payload: body,
        ackReq: true,
      });
      qp.msn++;
      out.push({ ...from, opcode: opcodeByName('RC_ACKNOWLEDGE'), psn: qp.psn, aeth: aeth() });
    } else if (i % 3 === 1) {
      out.push({
        ...to,
        opcode: opcodeByName('RC_SEND_ONLY'),
        psn: next(),
        payload: body.subarray(0, 64),
        ackReq: true,
      });
      qp.msn++;
      out.push({ ...from, opcode: opcodeByName('RC_ACKNOWLEDGE'), psn: qp.psn, aeth: aeth() });
    } else {
      out.push({ ...to, opcode: opcodeByName('RC_RDMA_READ_REQUEST'), psn: next(), reth });
      const psn = qp.psn;
      qp.msn++;
      out.push({
        ...from,
        opcode: opcodeByName('RC_RDMA_READ_RESPONSE_FIRST'),
        psn,
        aeth: aeth(),
        payload: body,
      });
      out.push({ ...from, opcode: opcodeByName('RC_RDMA_READ_RESPONSE_MIDDLE'), psn: next(), payload: body });
      out.push({
        ...from,
        opcode: opcodeByName('RC_RDMA_READ_RESPONSE_LAST'),
        psn: next(),
        aeth: aeth(),
        payload: body,
      });
    }
    for (const fields of out) if (sent++ < count) yield packet(fields);
  }
}

/** The same in a file, in parts: one array of all packets would be too long. */
function write(path: string, count: number): void {
  const file = openSync(path, 'w');
  const part: CapturedPacket[] = [];
  let first = true;
  const flush = (): void => {
    const bytes = writePcap(part);
    writeSync(file, first ? bytes : bytes.subarray(pcapHeader));
    first = false;
    part.length = 0;
  };
  for (const packet of traffic(count)) if (part.push(packet) === partOf) flush();
  if (part.length > 0) flush();
  closeSync(file);
}

interface Cost {
  /** seconds */
  wall: number;
  cpu: number;
  /** MiB */
  memory: number;
}

// a process says at its end what it took, all of its threads
const tells =
  'data:text/javascript,process.on("exit",()=>{const u=process.resourceUsage();' +
  'process.stderr.write("\\ncost "+(u.userCPUTime+u.systemCPUTime)/1e6+" "+u.maxRSS/1024)})';

function check(path: string, jobs: number): Cost {
  const start = performance.now();
  const args = ['--import', tells, command, 'check', path, '--jobs', String(jobs)];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`check ends with ${status}: ${stdout}${stderr}`);
  const [, cpu, memory] = /^cost (\S+) (\S+)$/m.exec(stderr) ?? [];
  return { wall: (performance.now() - start) / 1000, cpu: Number(cpu), memory: Number(memory) };
}

/** CPU seconds of tshark; `undefined` where there is none. */
function shark(path: string): number | undefined {
  const dissected = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="cost %U %S"; time tshark -r "$0" -T fields -e infiniband.bth.psn >/dev/null', path],
    { encoding: 'utf8' },
  );
  const [, user, system] = /^cost (\S+) (\S+)$/m.exec(dissected.stderr) ?? [];
  return dissected.status === 0 ? Number(user) + Number(system) : undefined;
}

const count = Number(process.argv[2] ?? 200_000);
try {
  const path = join(directory, 'bench.pcap');
  for (const n of [count / 10, count]) {
    write(path, n);
    const dissected = shark(path);
    if (dissected === undefined) console.log('tshark is not installed: no ratio');
    else console.log(`tshark  ${n} packets  ${dissected.toFixed(2)} s of CPU`);
    for (const jobs of [1, 2]) {
      const { wall, cpu, memory } = check(path, jobs);
      const ratio = dissected === undefined ? '' : `  ${(dissected / cpu).toFixed(2)} times tshark`;
      console.log(
        `check   ${n} packets  --jobs ${jobs}  ${cpu.toFixed(2)} s of CPU in ${wall.toFixed(2)} s${ratio}  ` +
          `${Math.round(n / cpu)} packets/s  ${Math.round(memory)} MiB`,
      );
    }
  }
} finally {
  rmSync(directory, { recursive: true });
}
