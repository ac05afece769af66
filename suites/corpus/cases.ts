import type { Adapter, Profile } from '../../adapters/adapter.ts';
import { defaultConfig, isSoundId, referenceAdapter, soundIds } from '../../adapters/reference/index.ts';
import { BenchSession } from '../driver/index.ts';
import type { SuiteProperty } from '../property.ts';
import { generateChunk } from '../runner/generate.ts';
import { Scenarios } from './aim.ts';
import { choicesOf } from './choices.ts';
import { drive } from './drive.ts';
import type { RecordedTrace } from './views/index.ts';

/** One case of a property on one device. Its name: `DEVICE:PROPERTY/SEED/INDEX`, without a device for the default one. */
export interface Case {
  /** empty, `choice-N` (the Nth of `choicesOf`, from 1), or the id of a sound variant or of a mutant */
  readonly device: string;
  /** id */
  readonly property: string;
  readonly seed: number;
  readonly index: number;
}

export function caseName({ device, property, seed, index }: Case): string {
  return `${device === '' ? '' : `${device}:`}${property}/${seed}/${index}`;
}

/** Undefined if it is no name of a case. */
export function parseCaseName(name: string): Case | undefined {
  const groups = /^(?:(?<device>[^:]*):)?(?<property>.+)\/(?<seed>\d+)\/(?<index>\d+)$/.exec(name)?.groups;
  if (groups === undefined) return undefined;
  const { device = '', property = '', seed, index } = groups;
  return { device, property, seed: Number(seed), index: Number(index) };
}

interface Device {
  readonly adapter: Adapter;
  readonly profile: Profile;
}

const choices = choicesOf(defaultConfig);

/** Names of conformant devices with other choices than the default one. */
export const choiceNames: readonly string[] = [...choices.map((_, i) => `choice-${i + 1}`), ...soundIds];

function adapterOf(device: string): Adapter {
  if (device === '') return referenceAdapter();
  if (isSoundId(device)) return referenceAdapter({ sound: device });
  const responder = choices[choiceNames.indexOf(device)];
  return responder === undefined ? referenceAdapter({ mutant: device }) : referenceAdapter({ responder });
}

/** Runs cases on the devices of a corpus. */
export class Cases {
  readonly #devices = new Map<string, Promise<Device>>();
  readonly #scenarios = new Map<string, Scenarios>();

  /** Profile of a device. Rejects if there is none of this name. */
  async profile(device: string): Promise<Profile> {
    return (await this.#device(device)).profile;
  }

  async #device(name: string): Promise<Device> {
    const open = async (): Promise<Device> => {
      const adapter = adapterOf(name);
      return { adapter, profile: await adapter.describe() };
    };
    const found = this.#devices.get(name) ?? open();
    this.#devices.set(name, found);
    return found;
  }

  /** A mutant is given the scenarios of a sound device, which are made once for all of them. */
  #scenariosFor(device: string, seed: number, profile: Profile): Scenarios {
    const key = `${choiceNames.includes(device) ? device : ''} ${seed}`;
    const found = this.#scenarios.get(key) ?? new Scenarios(generateChunk, profile, seed);
    this.#scenarios.set(key, found);
    return found;
  }

  /** What a case comes to; undefined where the harness breaks. */
  async trace(property: SuiteProperty, { device, seed, index }: Case): Promise<RecordedTrace | undefined> {
    const [{ adapter }, { profile }] = [
      await this.#device(device),
      await this.#device(choiceNames.includes(device) ? device : ''),
    ];
    const scenario = this.#scenariosFor(device, seed, profile).at(property, index);
    return (await drive({ BenchSession }, adapter, scenario)).drive;
  }
}
