import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { RunResult } from '../../../report/results.ts';
import type { CampaignState } from '../../../suites/campaign/state.ts';
import { interrupted, runHere, temporaryFolder } from '../command-line.ts';

const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
});
const cwd = folder.path;
const short = ['--suite', 'rc-responder', '--runs', '110', '--rounds', '1'];

function state(name: string): CampaignState {
  return JSON.parse(readFileSync(join(cwd, name, 'campaign.json'), 'utf8')) as CampaignState;
}

function results(name: string): RunResult {
  return JSON.parse(readFileSync(join(cwd, name, 'results.json'), 'utf8')) as RunResult;
}

describe('campaign', () => {
  it('goes on where the last call with its folder ended, with another seed, and tells how far it has come', async () => {
    const first = await runHere(['campaign', 'sound', ...short, '--seed', '5'], { cwd });
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/\nCampaign {2}sound: 1 round \(1 now\), 110 cases, /);
    const kept = readdirSync(join(cwd, 'sound', 'kept')).length;
    expect(kept).toBeGreaterThan(10);
    const second = await runHere(['campaign', 'sound', ...short, '--seed', '5'], { cwd });
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(second.stdout).toMatch(/\nCampaign {2}sound: 2 rounds \(1 now\), 220 cases, /);
    expect(readdirSync(join(cwd, 'sound', 'kept')).length).toBeGreaterThan(kept);
    const { rounds } = state('sound');
    expect(rounds.map(({ seed }) => seed)).toEqual([5, 6]);
    const [one, two] = rounds;
    expect(two?.news).toBeGreaterThan(0);
    expect(two?.news).toBeLessThan(one?.news ?? 0);
    const beside = results('sound').properties.find(({ id }) => id === 'campaign/neighbours');
    expect(beside?.cases).toBeGreaterThan(5);
    expect(results('sound').cases).toBe(220);
  });

  it('keeps the same cases on two devices at a time', async () => {
    const twice = ['--suite', 'rc-responder', '--runs', '80', '--rounds', '2'];
    for (const [name, jobs] of [
      ['alone', '1'],
      ['beside', '2'],
    ] as const) {
      const { code, stderr } = await runHere(['campaign', name, ...twice, '--jobs', jobs], { cwd });
      expect(code, stderr).toBe(0);
    }
    const [alone, beside] = ['alone', 'beside'].map((name) => ({
      rounds: state(name).rounds.map((round) => ({ ...round, seconds: 0 })),
      kept: readdirSync(join(cwd, name, 'kept')).toSorted(),
    }));
    expect(alone?.kept.length).toBeGreaterThan(10);
    expect(beside).toEqual(alone);
  });

  it('shows a finding once, with the round that found it first, and fails as long as it is there', async () => {
    const faulty = ['--adapter', 'reference:mutant=nak-psn-of-request'];
    for (const round of [1, 2]) {
      const { code } = await runHere(['campaign', 'faulty', ...short, ...faulty], { cwd });
      expect(code).toBe(1);
      const found = results('faulty').failures.filter(({ rule }) => rule === 'rc-request-ahead');
      expect(found.length).toBeGreaterThan(0);
      expect(new Set(found.map(({ signature }) => signature)).size).toBe(found.length);
      for (const failure of found) {
        expect(failure).toMatchObject({ known: false, reproduced: { times: 10, of: 10 } });
        expect(failure.caseFile).toMatch(/^faulty\/cases\/1\//);
      }
      expect(results('faulty').rules.find(({ id }) => id === 'rc-request-ahead')).not.toHaveProperty('known');
      expect(state('faulty').rounds).toHaveLength(round);
    }
    expect(state('faulty').rounds[0]?.findings).toBeGreaterThan(0);
    const report = await runHere(['report', 'faulty/results.json'], { cwd });
    expect(report.code).toBe(1);
  });

  it('keeps what a round has come to at Ctrl-C', async () => {
    const { code } = await interrupted(
      ['campaign', 'cut', '--suite', 'rc-responder', '--runs', '100000'],
      1500,
      { cwd },
    );
    expect(code).toBe(130);
    expect(state('cut').rounds).toHaveLength(1);
    expect(results('cut').cases).toBeGreaterThan(0);
  });

  it('refuses a folder of another device, and says which file is damaged', async () => {
    const other = await runHere(['campaign', 'sound', '--adapter', 'reference:mutant=rnr-silent'], { cwd });
    expect(other).toMatchObject({ code: 64, stdout: '' });
    expect(other.stderr).toMatch(/sound holds a campaign on reference; take another folder/);
    const [name = ''] = readdirSync(join(cwd, 'sound', 'kept'));
    writeFileSync(join(cwd, 'sound', 'kept', name), '{"property":"x","news":1,"scenario":{}}');
    const damaged = await runHere(['campaign', 'sound', ...short], { cwd });
    expect(damaged.code).toBe(64);
    expect(damaged.stderr).toContain(`${join('sound', 'kept', name)} cannot be read: scenario`);
    rmSync(join(cwd, 'sound', 'kept', name));
    writeFileSync(join(cwd, 'sound', 'campaign.json'), '{"format":"rdma-conform/campaign/1"}');
    const lost = await runHere(['campaign', 'sound', ...short], { cwd });
    expect(lost.code).toBe(64);
    expect(lost.stderr).toMatch(/campaign\.json is not what campaign takes/);
  });
});
