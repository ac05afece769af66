import { resolve } from 'node:path';
import { isRecord, ShapeError } from '../../adapters/agent/check.ts';
import { congestion, profile } from '../../adapters/agent/profile.ts';
import type { TraceHeader } from '../../oracle/trace.ts';
import type { CongestionProfile } from '../../spec/congestion.ts';
import { dcqcnProfile, dcqcnProfileNames } from '../../spec/dcqcn.ts';
import { messageOf, usageError } from '../exit-codes.ts';
import { cannotRead } from '../files/file-trouble.ts';
import { fileText } from '../files/read-text.ts';

/**
 * What `--profile` says of the congestion control of the NICs in a capture: a set of parameters by its name, or a file with the key
 * `congestion`, alone or in the profile of a device. Throws a usage error.
 */
export function congestionOf(asked: string | undefined, directory: string): Pick<TraceHeader, 'congestion'> {
  if (asked === undefined) return {};
  const name = dcqcnProfileNames.find((known) => known === asked);
  if (name !== undefined) return { congestion: dcqcnProfile(name) };
  let text: string;
  try {
    text = fileText(resolve(directory, asked));
  } catch (thrown) {
    throw usageError(
      `--profile: ${cannotRead(asked, thrown)}, and no set of parameters (${dcqcnProfileNames.join(', ')})`,
    );
  }
  try {
    return { congestion: congestionIn(JSON.parse(text)) };
  } catch (thrown) {
    throw usageError(`--profile: ${asked}: ${messageOf(thrown)}`);
  }
}

function congestionIn(value: unknown): CongestionProfile {
  if (!isRecord(value)) throw new ShapeError('profile', 'an object', value);
  const device = Object.keys(value).some((key) => key !== 'congestion');
  const found = device ? profile(value, 'profile').congestion : value['congestion'];
  if (found === undefined) throw ShapeError.missing('profile.congestion');
  return congestion(found, 'profile.congestion');
}
