// Runs in the guest, bundled: what adapter verbs:DEVICE,netdev=IF sees and does there, as one line of JSON.
import { verbsAdapter } from '../../../adapters/verbs/adapter.ts';
import { decode, formatMac } from '../../../wire/index.ts';
import { Links } from './link.ts';

const [device = '', netdev = '', elsewhere = ''] = process.argv.slice(2);
const failure = async (interfaceName: string): Promise<string> => {
  try {
    await (await verbsAdapter({ device, netdev: interfaceName }).open({})).close();
    return 'none';
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
};
const failures = { absent: await failure('nowhere0'), elsewhere: await failure(elsewhere) };
const bench = await verbsAdapter({ device, netdev, minTimeout: 10 }).open({});
const { verbs, profile, dut, peer } = bench;
const links = new Links(bench);
const seen: object[] = [];
for (const version of [4, 6] as const) {
  const link = await links.open({ version, attr: { path_mtu: 4096 } });
  const reth = { va: link.mr.addr, rkey: link.mr.rkey, dmaLen: 4096 };
  link.send('RC_RDMA_WRITE_ONLY', 100, { reth, payload: Buffer.alloc(4096, 7) });
  const ack = await link.receive();
  const written = (await verbs.read_memory(link.mr.mr, 4095, 2)).join();
  const sg_list = [{ addr: link.mr.addr, length: 5, lkey: link.mr.lkey }];
  await verbs.post_send(link.qp, {
    wr_id: 8,
    opcode: 'IBV_WR_SEND',
    sg_list,
    send_flags: ['IBV_SEND_SIGNALED'],
  });
  const request = await link.receive();
  link.send('RC_ACKNOWLEDGE', 7000, { aeth: { syndrome: 0x1f, msn: 1 } });
  const completion = await link.completion();
  seen.push({
    ack: { psn: ack?.psn, destQp: ack?.destQp, icrcOk: ack?.icrcOk, ipVersion: ack?.ipVersion },
    written,
    request: { psn: request?.psn, bytes: request?.payload.length },
    completion: completion?.status,
  });
  await link.close();
}
// what the interface itself sends is not the device's; the device's host answers now and then who asks for its MAC address
const own: string[] = [];
bench.wire?.onFrame((frame) => {
  const sender = formatMac(frame, 6);
  if (sender !== dut.mac) own.push(`${decode(frame).kind} from ${sender}`);
});
bench.wire?.send(Buffer.alloc(60, 0xff));
// more than the link carries, and more than any port need take
bench.wire?.send(Buffer.alloc(9298));
await new Promise((resolve) => setTimeout(resolve, 100));
await bench.close();
console.log(JSON.stringify({ profile, dut, peer, seen, own, failures }));
