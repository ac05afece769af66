/**
 * A device of one's own, call by call: the reference NIC, but every third receive completion is lost on the way to
 * ibv_poll_cq. Nothing on the wire shows it; the verbs do.
 *
 *     npx rdma-conform --adapter ./examples/swallowed-completion.ts
 *
 * The suite finds it: rc-receive-completes fails.
 */
import { referenceAdapter, type Adapter, type Verbs } from 'rdma-conform/adapter';

function swallowing(verbs: Verbs): Verbs {
  let seen = 0;
  const lost = (opcode: string | undefined): boolean =>
    opcode?.startsWith('IBV_WC_RECV') === true && ++seen % 3 === 0;
  return {
    ...verbs,
    poll_cq: async (cq, max) => {
      const completions = await verbs.poll_cq(cq, max);
      return completions.filter((wc) => !lost(wc.opcode));
    },
  };
}

const reference = referenceAdapter();

const adapter: Adapter = {
  name: 'swallowed-completion',
  describe: async () => ({ ...(await reference.describe()), name: 'swallowed-completion' }),
  open: async (options) => {
    const bench = await reference.open(options);
    return { ...bench, verbs: swallowing(bench.verbs) };
  },
};

export default adapter;
