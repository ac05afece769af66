import type { Bench } from '../../adapters/adapter.ts';
import { must } from './step.ts';

/** What a device says of itself must make sense. Gives it in one line; throws Wrong. */
export function soundProfile({ profile, dut, peer, wire, clock }: Bench): string {
  const { capabilities, pathMtus, ipVersions, limits, responseTime, concurrency } = profile;
  must(pathMtus.length > 0, 'profile.pathMtus is empty');
  must(ipVersions.length > 0, 'profile.ipVersions is empty');
  must(
    (['rc', 'uc', 'ud'] as const).some((service) => capabilities.includes(service)),
    'profile.capabilities names no service: rc, uc or ud',
  );
  must(responseTime > 0, 'profile.responseTime is 0: no answer could come in time');
  must(concurrency >= 1, 'profile.concurrency is below 1');
  must(limits.maxQps >= 2 && limits.maxMessageBytes > 0, 'profile.limits leave no room for two QPs');
  must(
    capabilities.includes('rcm') === (profile.congestion !== undefined),
    'profile.congestion belongs to the capability rcm, and rcm to it',
  );
  for (const version of ipVersions) {
    const key = version === 4 ? 'ipv4' : 'ipv6';
    must(
      dut[key] !== undefined && peer[key] !== undefined,
      `IPv${version} is announced, but an end has no ${key}`,
    );
    must(dut.gidIndex[key] !== undefined, `IPv${version} is announced, but dut.gidIndex.${key} is missing`);
  }
  if (wire !== undefined) must(dut.mac !== peer.mac, 'dut and peer have the same MAC address');
  const version = profile.version === undefined ? '' : ` ${profile.version}`;
  return `${profile.name}${version}, ${clock.kind} clock, ${capabilities.join(' ')}`;
}
