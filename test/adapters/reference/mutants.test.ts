import { describe, expect, it } from 'vitest';
import { mutantIds } from '../../../adapters/reference/mutants/ids.ts';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import { faultsAt, seam, type Varied } from '../../../adapters/reference/seam.ts';
import { projectFiles, readProjectFile } from '../../project/files.ts';

const nic = 'adapters/reference/';
/** Where mutants may be named: beside the sound device, and where a mutant is chosen. */
const ofMutants = /\/faults(\/[\w-]+)*\.ts$|\/mutants\/|\/mutant\.ts$/;

describe('mutants of the reference NIC', () => {
  it('all have a fault, in the device or in the switch', async () => {
    for (const mutant of mutantIds) {
      const bench = await referenceAdapter({ mutant }).open({});
      await bench.close();
    }
    expect(mutantIds.length).toBeGreaterThan(600);
  });

  it('are named by no file of the sound device', () => {
    const ids: ReadonlySet<string> = new Set(mutantIds);
    const files = projectFiles().filter((path) => path.startsWith(nic) && path.endsWith('.ts'));
    const sound = files.filter((path) => !ofMutants.test(path));
    expect(sound.length).toBeGreaterThan(50);
    const named = sound.flatMap((path) =>
      [...readProjectFile(path).matchAll(/'([a-z][a-z0-9-]*)'|`([a-z][a-z0-9-]*)`/g)]
        .map(([, single, template]) => single ?? template ?? '')
        .filter((word) => ids.has(word))
        .map((word) => `${path}: ${word}`),
    );
    expect(named).toEqual([]);
  });

  it('do otherwise at a seam, each by itself', () => {
    const twice = seam((_asked: Varied, n: number): number => 2 * n);
    faultsAt(twice, {
      'icrc-unchecked': (sound, asked, n) => sound(asked, n) + 1,
      'pkey-unchecked': () => 0,
    });
    expect(twice({ variant: undefined }, 3)).toBe(6);
    expect(twice({ variant: 'icrc-unchecked' }, 3)).toBe(7);
    expect(twice({ variant: 'pkey-unchecked' }, 3)).toBe(0);
    expect(twice({ variant: 'service-unchecked' }, 3)).toBe(6);
    expect(() => faultsAt(twice, { 'pkey-unchecked': () => 1 })).toThrow(/stands twice/);
  });
});
