// Runs in the guest, bundled: what adapter verbs:rxe0 is there, as one line of JSON.
import { verbsAdapter } from '../../../adapters/verbs/adapter.ts';
import { sendToOneself } from './two-qps.ts';

const failure = async (device: string): Promise<string> => {
  try {
    await (await verbsAdapter({ device }).open({})).close();
    return 'none';
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
};

const adapter = verbsAdapter({ device: 'rxe0' });
const profile = await adapter.describe();
const bench = await adapter.open({});
const facts = { profile, wire: bench.wire !== undefined, dut: bench.dut, peer: bench.peer };
const deliveries = [
  await sendToOneself(bench, 'IBV_QPT_RC', 4),
  await sendToOneself(bench, 'IBV_QPT_RC', 6),
  await sendToOneself(bench, 'IBV_QPT_UC', 4),
];
await bench.close();
console.log(JSON.stringify({ ...facts, deliveries, absent: await failure('mlx5_0') }));
