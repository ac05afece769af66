/** Texts of a new project, beside the files of examples, which are copied as they are. */

/** What has to be built before a device can run. */
export interface Build {
  command: string;
  /** packages of Debian that it needs */
  packages: string;
}

export const moduleAdapter = `/**
 * My device. It begins as the reference NIC, so that everything runs; put your own in its place, part by part.
 * An Adapter is defined in node_modules/rdma-conform/dist/adapters/adapter.d.ts.
 */
import { referenceAdapter, type Adapter, type Bench, type OpenOptions, type Profile } from 'rdma-conform/adapter';

const reference = referenceAdapter();

/** What the device can do. Rules about anything else do not concern it. */
async function describe(): Promise<Profile> {
  return { ...(await reference.describe()), name: 'my-device', version: '1' };
}

/** A fresh device: its verbs by their libibverbs names, the wire that ends at its port, and the clock both are on. */
async function open(options: OpenOptions): Promise<Bench> {
  const bench = await reference.open(options);
  return {
    ...bench,
    profile: await describe(),
    verbs: {
      ...bench.verbs,
      // calls of your device, e.g. post_recv: (qp, wr) => myDevice.postRecv(qp, wr),
    },
  };
}

const adapter: Adapter = { name: 'my-device', describe, open };
export default adapter;
`;

/** `adapter`: the device as `--adapter` takes it. */
export const knownFile = (
  adapter: string,
): string => `# Divergences that are known and have a reason. A run with "--known known.yaml" passes although they show, and fails when one
# does not show any more. An entry:
#
# - rule: rc-request-ahead
#   adapter: '${adapter}'
#   reason: The NAK carries the PSN that came; fixed in firmware 2.
#   link: https://example.com/bugs/1
#   expires: 2030-01-31
[]
`;

/** A workflow of GitHub; what it runs is what any other CI would. */
export function workflow(adapter: string, flags: string, build: Build | undefined): string {
  const built =
    build === undefined
      ? ''
      : `      - run: sudo apt-get install -y ${build.packages}
      - run: ${build.command}
`;
  return `name: conformance
on: [push]
jobs:
  conformance:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - run: npm install
${built}      - run: npx rdma-conform smoke --adapter "${adapter}"
      - run: npx rdma-conform --adapter "${adapter}"${flags} --known known.yaml --reporter pretty --reporter junit=results.xml
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: conformance
          path: |
            results.xml
            .rdma-conform/cases/
`;
}

export function readme(adapter: string, more: string): string {
  return `# Conformance of my device

\`\`\`sh
npm install
npm run smoke          # is the adapter right? Takes seconds
npm run conformance    # does the device do what the spec says?
\`\`\`

The device is \`--adapter "${adapter}"\`.${more}

- \`known.yaml\`: divergences that are known, with the reason for each
- \`.github/workflows/conformance.yml\`: the same in CI; exit code 1 is a divergence, 70 an adapter that broke
`;
}
