/**
 * Judging a capture against tshark dissecting the same file: `npx tsx bench/check.ts [packets]`. Prints packets per
 * second of both, in one run, and how the cost per packet and the memory go with the length of the capture.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { opcodeByName } from '../spec/constants.ts';
import { Judge, loadRules } from '../oracle/index.ts';
import { decodeCaptured, encode, psnAdd, readCapture, writePcap } from '../wire/index.ts';
import type { CapturedPacket } from '../wire/index.ts';

const rules = loadRules();
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

function judgeFile(path: string): { packets: number; seconds: number; violations: number; heap: number } {
  const start = performance.now();
  const header = { sight: { packets: 'mid-path', verbs: false }, clock: 'recorded' } as const;
  const judge = new Judge(header, rules);
  let heap = 0;
  let number = 0;
  for (const record of readCapture(path)) {
    if (record.kind !== 'frame') continue;
    const decoded = decodeCaptured(record);
    number++;
    if (decoded.kind !== 'packet') continue;
    judge.push({ kind: 'packet', t: number, direction: 'unknown', packet: decoded.packet, number });
    if (number % 50_000 === 0) heap = Math.max(heap, process.memoryUsage().heapUsed);
  }
  const { packets, violations } = judge.finish();
  return { packets, seconds: (performance.now() - start) / 1000, violations: violations.length, heap };
}

const count = Number(process.argv[2] ?? 200_000);
try {
  const path = join(directory, 'bench.pcap');
  for (const n of [count / 10, count]) {
    writeFileSync(path, writePcap(traffic(n)));
    if (n !== count) judgeFile(path);
    const own = judgeFile(path);
    const rate = own.packets / own.seconds;
    console.log(
      `check   ${own.packets} packets  ${Math.round(rate)} packets/s  ${((own.seconds * 1e6) / own.packets).toFixed(2)} us/packet  ` +
        `heap ${Math.round(own.heap / 2 ** 20)} MiB  ${own.violations} violations`,
    );
    const start = performance.now();
    const shark = spawnSync('tshark', ['-r', path, '-T', 'fields', '-e', 'infiniband.bth.psn'], {
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    if (shark.error) console.log('tshark is not installed: no ratio');
    else {
      const tsharkRate = n / ((performance.now() - start) / 1000);
      console.log(
        `tshark  ${n} packets  ${Math.round(tsharkRate)} packets/s  ratio ${(rate / tsharkRate).toFixed(1)}`,
      );
    }
  }
} finally {
  rmSync(directory, { recursive: true });
}
