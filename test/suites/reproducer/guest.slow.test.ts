import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { debianKernel, guestHindrance, type KernelSeries } from '../../../adapters/rxe/index.ts';
import { runInGuest, type Ended } from '../../../scripts/reproducers/guest.ts';
import { finding, programFor } from './findings.ts';

const both = 'rc-send-unacknowledged';
const newer = 'qp-modify-foreign-requester-attribute';
const full = 'cq-error-again';
const list = 'post-send-too-early';
const apart = 'rc-send-complete-asked';

async function tried(kernel: KernelSeries, rules: readonly string[]): Promise<Map<string, Ended>> {
  const folder = mkdtempSync(join(tmpdir(), 'programs-'));
  try {
    const files = await Promise.all(
      rules.map(async (rule) => {
        const file = join(folder, `${rule}.c`);
        writeFileSync(file, await programFor(finding(rule)));
        return file;
      }),
    );
    return new Map((await runInGuest(files, debianKernel(kernel))).map((ended) => [ended.name, ended]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const hindrance =
  guestHindrance('6.12') ??
  (existsSync('/usr/include/infiniband/verbs.h') ? undefined : 'the headers of libibverbs are not here');

describe('reproducers in a guest, with nothing else of this project in it', () => {
  it(
    'show defects on 6.12, with full CQs, lists and SRQs of other PDs as well, and one of 6.12 there only',
    { timeout: 240_000 },
    async ({ skip }) => {
      if (hindrance !== undefined) skip(hindrance);
      const on612 = await tried('6.12', [both, newer, full, list, apart]);
      expect(on612.get(both)).toMatchObject({ code: 1 });
      expect(on612.get(both)?.output).toContain('completion wr_id 1000 IBV_WC_SUCCESS');
      expect(on612.get(newer)).toMatchObject({ code: 1 });
      for (const rule of [full, list, apart]) expect(on612.get(rule), rule).toMatchObject({ code: 1 });
      expect(on612.get(full)?.output.match(/event IBV_EVENT_CQ_ERR/g)?.length).toBeGreaterThan(1);
      expect(on612.get(list)?.output).toContain('call ibv_post_send errno 22, bad_wr 4 of the list of 10');
      expect(on612.get(apart)?.output).toContain('syndrome 0x63');
      const on61 = await tried('6.1', [newer]);
      expect(on61.get(newer)).toMatchObject({ code: 0 });
      expect(on61.get(newer)?.output).toContain('not shown');
    },
  );
});
