import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { referenceAdapter } from '../../adapters/reference/index.ts';
import { openConformance } from '../../cli/adapter/library.ts';
import { openConformance as openFromSuites } from '../../cli/suites-entry.ts';
import { describeConformance } from '../../cli/vitest/describe.ts';
import { loadRules } from '../../oracle/index.ts';
import {
  ConformanceError,
  decodeToken,
  properties,
  replayCase,
  runConformance,
  type ConformanceDevice,
  type ConformanceProperty,
} from '../../suites/index.ts';

function named(device: ConformanceDevice, id: string): ConformanceProperty {
  const found = device.properties.find((property) => property.id === id);
  if (found === undefined) throw new Error(`no property ${id}`);
  return found;
}

async function detailsOf(property: ConformanceProperty, numRuns: number) {
  return fc.check(property.property, { seed: 1, numRuns });
}

const walk = 'rc-responder/psn-walk';

describe('properties of the suites under fast-check', () => {
  let sound: ConformanceDevice;
  let faulty: ConformanceDevice;
  let lenient: ConformanceDevice;
  beforeAll(async () => {
    const mutant = referenceAdapter({ mutant: 'nak-psn-of-request' });
    sound = await openConformance(referenceAdapter());
    faulty = await openConformance(mutant);
    lenient = await openConformance(mutant, { known: ['rc-request-ahead'] });
  });
  afterAll(async () => {
    await Promise.all([sound, faulty, lenient].map(async (device) => device.close()));
  });

  it('are those of the package, each with its suite, its claim and its aims', () => {
    expect(sound.properties.map(({ id }) => id)).toEqual(properties.map(({ id }) => id));
    expect(named(sound, walk)).toMatchObject({ suite: 'rc-responder' });
    expect(named(sound, walk).aims).toContain('rc-request-ahead');
    expect(sound.properties.every(({ says }) => says.length > 10)).toBe(true);
  });

  it('hold on the reference NIC', async () => {
    const details = await detailsOf(named(sound, walk), 100);
    expect(details).toMatchObject({ failed: false, numRuns: 100 });
  });

  it('fail on a device with a fault, shrunk, with all that a person needs', async () => {
    const details = await detailsOf(named(faulty, walk), 100);
    expect(details.failed).toBe(true);
    const { errorInstance: error } = details;
    if (!(error instanceof ConformanceError)) throw new Error('no ConformanceError', { cause: error });
    expect(error).toMatchObject({ rule: 'rc-request-ahead', level: 'must' });
    expect(error.message).toMatch(/^rc-request-ahead: The first request beyond/);
    expect(error.message).toMatch(/\n>> <- RC ACKNOWLEDGE psn \d+ .* NAK PSN sequence error/);
    expect(error.scenario).toEqual(details.counterexample?.[0]);
    const again = await replayCase(
      referenceAdapter({ mutant: 'nak-psn-of-request' }),
      decodeToken(error.token),
    );
    expect(again.reproduced).toBe(true);
  });

  it('hold where the divergence is a known one', async () => {
    const details = await detailsOf(named(lenient, walk), 100);
    expect(details.failed).toBe(false);
  });

  it('say why they cannot be tried on a device', async () => {
    const blind = await openConformance(referenceAdapter({ wire: false }));
    expect(named(blind, walk).hindrance).toMatch(/no wire/);
    await blind.close();
  });

  it('reject where a scenario cannot be run, which is no divergence', async () => {
    const adapter = referenceAdapter();
    const dead = await openConformance({
      name: 'dead',
      describe: async () => adapter.describe(),
      open: async () => Promise.reject(new Error('it is dead')),
    });
    const details = await detailsOf(named(dead, walk), 1);
    expect(details.errorInstance).not.toBeInstanceOf(ConformanceError);
    expect(String(details.errorInstance)).toMatch(/rc-responder\/psn-walk cannot be run: .*it is dead/);
    await dead.close();
  });
});

describe('what a library is handed', () => {
  it('may be the name of a device, as the command line takes it', async () => {
    const device = await openFromSuites('reference:mutant=nak-psn-of-request');
    expect(device.profile.name).toMatch(/^reference/);
    await device.close();
    await expect(openConformance('referense')).rejects.toThrow(/did you mean "reference"/);
  });

  it('must be options that there are, and folders that are there', async () => {
    const misspelt: object = { sutes: ['ud'] };
    await expect(openConformance('reference', misspelt)).rejects.toThrow(
      /has no option "sutes"; there are: /,
    );
    await expect(runConformance({ adapter: referenceAdapter(), ...misspelt })).rejects.toThrow(TypeError);
    expect(() => {
      describeConformance('reference', misspelt);
    }).toThrow(/describeConformance has no option "sutes"/);
    const folders: object = { folder: '/none/such' };
    expect(() => loadRules(folders)).toThrow('loadRules has no option "folder"; there are: directory, files');
    const folder: never = '/none/such' as never;
    expect(() => loadRules(folder)).toThrow('loadRules takes an object of options, not "/none/such"');
    expect(() => loadRules({ directory: '/none/such' })).toThrow(
      '/none/such: there is no such folder of rules',
    );
  });
});
