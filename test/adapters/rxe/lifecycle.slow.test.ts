import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { AdapterBroken } from '../../../adapters/adapter.ts';
import { openGuest } from '../../../adapters/rxe/index.ts';
import type { Guest } from '../../../adapters/rxe/index.ts';
import { startMachine } from '../../../adapters/rxe/qemu.ts';
import { realClock } from '../../../adapters/real-clock.ts';
import type { AsyncEvent } from '../../../spec/verbs.ts';
import { hindranceHere } from './here.ts';
import { until } from './link.ts';
import { allGone, descendants, isQemu } from './processes.ts';

const reason = await hindranceHere();
const note = reason === undefined ? '' : ` (skipped: ${reason})`;

describe.skipIf(reason !== undefined)(`a guest ends with its run${note}`, () => {
  it('closes without leaving a process', async () => {
    const guest = await openGuest(realClock());
    const pids = [guest.machine.pid ?? -1, ...descendants(guest.machine.pid ?? -1)];
    expect(pids.some(isQemu)).toBe(true);
    await guest.close();
    expect(await until(() => (allGone(pids) ? true : undefined))).toBe(true);
  });

  it('runs programs in the guest, and passes on the events of its port', async () => {
    const guest = await openGuest(realClock(), { address: 2 });
    expect(guest.hello.info.gids).toContain('00000000000000000000ffff0a4d0002');
    const events: AsyncEvent[] = [];
    guest.client.onAsync = (event) => events.push(event);
    const ip = (...argv: string[]): Promise<unknown> => guest.exec(['/bin/ip', ...argv], 5000);
    expect(await ip('link', 'set', 'eth0', 'down')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await ip('link', 'show', 'nowhere')).toMatchObject({ code: 1, stdout: '' });
    const down = await until(() => events.find((event) => event.event_type === 'IBV_EVENT_PORT_ERR'));
    expect(down).toEqual({ event_type: 'IBV_EVENT_PORT_ERR', port_num: 1 });
    await guest.close();
  });

  it.each(['SIGKILL', 'SIGINT', 'SIGTERM'] as const)('is gone after its parent got %s', async (signal) => {
    const scratch = mkdtempSync(join(tmpdir(), 'rxe-test-'));
    const script = [
      `import { openGuest } from ${JSON.stringify(new URL('../../../adapters/rxe/index.ts', import.meta.url).href)};`,
      `import { realClock } from ${JSON.stringify(new URL('../../../adapters/real-clock.ts', import.meta.url).href)};`,
      `const guest = await openGuest(realClock());`,
      `console.log('up', guest.machine.pid); setInterval(() => {}, 1000);`,
    ].join('\n');
    const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, TMPDIR: scratch, TSX_DISABLE_CACHE: '1' },
    });
    const supervisor = await new Promise<number>((resolve) => {
      let text = '';
      parent.stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        const pid = /up (\d+)/.exec(text)?.[1];
        if (pid !== undefined) resolve(Number(pid));
      });
      parent.on('exit', () => resolve(-1));
    });
    expect(supervisor).toBeGreaterThan(0);
    const pids = [supervisor, ...descendants(supervisor)];
    expect(pids.some(isQemu)).toBe(true);
    parent.kill(signal);
    expect(await until(() => (allGone(pids) ? true : undefined), 8000)).toBe(true);
    // tsx keeps a folder of its own there
    expect(readdirSync(scratch).filter((entry) => !entry.startsWith('tsx-'))).toEqual([]);
    rmSync(scratch, { recursive: true });
  });
});

describe.skipIf(reason !== undefined)(`a guest that fails${note}`, () => {
  const broken = async (guest: Guest, call: Promise<unknown>): Promise<string> => {
    const error: unknown = await call.then(
      () => undefined,
      (e: unknown) => e,
    );
    await guest.close();
    expect(error).toBeInstanceOf(AdapterBroken);
    return error instanceof Error ? error.message : '';
  };

  it('is an error within the call limit when it hangs', async () => {
    const guest = await openGuest(realClock(), { callLimitMs: 700 });
    const pids = descendants(guest.machine.pid ?? -1);
    const qemu = pids.find(isQemu) ?? -1;
    process.kill(qemu, 'SIGSTOP');
    expect(await broken(guest, guest.client.call('alloc_pd', {}))).toMatch(/did not answer alloc_pd in time/);
    expect(await until(() => (allGone(pids) ? true : undefined))).toBe(true);
  });

  it('is an error for every call when QEMU dies, and for calls after that', async () => {
    const guest = await openGuest(realClock());
    const qemu = descendants(guest.machine.pid ?? -1).find(isQemu) ?? -1;
    const call = guest.client.call('exec', { argv: ['/bin/sleep', '30'], timeout_ms: 20_000 });
    process.kill(qemu, 'SIGKILL');
    await expect(call).rejects.toBeInstanceOf(AdapterBroken);
    await broken(guest, guest.client.call('alloc_pd', {}));
  });

  it('is an error with the last lines of the console when it does not come up', async () => {
    const opening = openGuest(realClock(), { fresh: true, bootLimitMs: 400 });
    await expect(opening).rejects.toThrow(/did not answer machine in time[^]*console/);
  });

  it('shows what QEMU says when it does not even start', async () => {
    const machine = startMachine({
      qemu: '/usr/bin/qemu-system-x86_64',
      args: ['-M', 'nonsense'],
      env: {},
    });
    expect(await machine.exited).not.toBe(0);
    expect(await until(() => (machine.console() === '' ? undefined : machine.console()))).toMatch(
      /unsupported machine/,
    );
    machine.kill();
  });

  it('does not start for a run that is interrupted already', async () => {
    const signal = AbortSignal.abort();
    await expect(openGuest(realClock(), { signal })).rejects.toThrow(/interrupted|aborted/);
  });
});
