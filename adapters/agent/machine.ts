import { execFile, execFileSync } from 'node:child_process';
import type { DeviceInfo } from '../verbs/device/info.ts';
import type { MachineCalls } from './serve.ts';

/** How many guests can share one wire, each knowing the others by static neighbours. */
export const guestCount = 4;
export const guestMac = (index: number): string => `02:00:00:00:00:0${index}`;
export const guestIpv4 = (index: number): string => `10.77.0.${index}`;
export const guestIpv6 = (index: number): string => `fd77::${index}`;

/** An address that no guest and no connection uses. */
export const spareIpv4 = '10.77.9.9';

/** Words of `ip` that give it to an interface, or take it away. */
export function spareAddress(present: boolean, netdev = 'eth0'): string[] {
  return ['addr', present ? 'add' : 'del', `${spareIpv4}/32`, 'dev', netdev];
}

/** `ip -batch` lines that give an interface the address of guest `index` (1..4) and make the others known. */
export function addressCommands(index: number, netdev = 'eth0'): string[] {
  const others = Array.from({ length: guestCount }, (_, i) => i + 1).filter((i) => i !== index);
  return [
    `link set ${netdev} down`,
    `addr flush dev ${netdev}`,
    `link set ${netdev} address ${guestMac(index)} mtu 4200 addrgenmode none`,
    `link set ${netdev} up`,
    `addr add ${guestIpv4(index)}/24 dev ${netdev}`,
    `addr add ${guestIpv6(index)}/64 dev ${netdev} nodad`,
    ...others.flatMap((i) => [
      `neigh replace ${guestIpv4(i)} lladdr ${guestMac(i)} dev ${netdev} nud permanent`,
      `neigh replace ${guestIpv6(i)} lladdr ${guestMac(i)} dev ${netdev} nud permanent`,
    ]),
  ];
}

export function setAddress(index: number): void {
  if (index < 1 || index > guestCount) throw new RangeError(`address index ${index} is not 1..${guestCount}`);
  execFileSync('/bin/ip', ['-batch', '-'], { input: `${addressCommands(index).join('\n')}\n` });
}

/** The calls that change the guest itself. */
export function machineCalls(info: () => DeviceInfo): MachineCalls {
  return {
    set_address: async ({ index }) => {
      setAddress(index);
      // the GID table follows the addresses in a work queue
      await new Promise((resolve) => setTimeout(resolve, 100));
      return info();
    },
    exec: ({ argv, timeout_ms }) =>
      new Promise((resolve, reject) => {
        const [program, ...rest] = argv;
        if (program === undefined) return reject(new RangeError('argv is empty'));
        execFile(program, rest, { timeout: timeout_ms, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 255;
          resolve({ code, stdout, stderr: code === 255 ? `${stderr}${error?.message ?? ''}` : stderr });
        });
      }),
  };
}
