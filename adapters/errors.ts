type ErrorClass = new (...args: never[]) => Error;

/**
 * Whether an error is of a class of this file, or of a copy of it: an adapter module of one's own is loaded with copies, which
 * have no more in common than the name.
 */
function isOf(asked: ErrorClass, own: ErrorClass, value: unknown, ...names: readonly string[]): boolean {
  if (!(value instanceof Error)) return false;
  return (
    Function.prototype[Symbol.hasInstance].call(asked, value) || (asked === own && names.includes(value.name))
  );
}

/**
 * A verbs call that the device refused. `errno` as libibverbs gives it (22 = EINVAL). `badWr`: of a list that was posted, the place of
 * the work request that the device names as `bad_wr`, from 0; absent where it names none of them. `kept`: of ibv_rereg_mr, the region is
 * as before (IBV_REREG_MR_ERR_INPUT, IBV_REREG_MR_ERR_DONT_FORK_NEW); absent: it is not to be used any more. `said`: why, in
 * words of the device.
 */
export class VerbsError extends Error {
  readonly call: string;
  readonly errno: number;
  readonly badWr?: number;
  readonly kept?: true;
  readonly said?: string;
  constructor(call: string, errno: number, badWr?: number, kept = false, said?: string) {
    super(`${call} failed: errno ${errno}`);
    this.name = 'VerbsError';
    this.call = call;
    this.errno = errno;
    if (badWr !== undefined) this.badWr = badWr;
    if (kept) this.kept = true;
    if (said !== undefined && said !== this.message) this.said = said;
  }
  static override [Symbol.hasInstance](value: unknown): value is VerbsError {
    if (!isOf(this, VerbsError, value, 'VerbsError')) return false;
    const { call, errno } = value as Partial<VerbsError>;
    return typeof call === 'string' && Number.isInteger(errno);
  }
}

/** The device cannot be had here; the message says what is missing and how to get it. Exit code 69. */
export class AdapterUnavailable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AdapterUnavailable';
  }
  static override [Symbol.hasInstance](value: unknown): value is AdapterUnavailable {
    return isOf(this, AdapterUnavailable, value, 'AdapterUnavailable');
  }
}

/** What was thrown, and where: what a person needs to mend it. */
export function withPlace(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const place = thrown.stack
    ?.split('\n')
    .find((line) => /^\s+at /.test(line))
    ?.trim()
    .replace(/\(.*[/\\]([^/\\]+[/\\][^/\\]+)\)$/, '($1)');
  const what = `${thrown.name}: ${thrown.message}`;
  return place === undefined ? what : `${what} ${place}`;
}

/** The device stopped answering, died or broke its protocol. Verdict `error`, exit code 70, results so far are kept. */
export class AdapterBroken extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AdapterBroken';
  }
  static override [Symbol.hasInstance](value: unknown): value is AdapterBroken {
    return isOf(this, AdapterBroken, value, 'AdapterBroken', 'DeviceDied');
  }
}

/**
 * The device under test itself died, as far as the adapter can tell: its kernel panicked, its firmware stopped. `reason` says so in
 * one line. `Adapter.open` must give another one. That is a finding, where a broken adapter is none.
 */
export class DeviceDied extends AdapterBroken {
  readonly reason: string;
  constructor(reason: string, context = '') {
    super(context === '' ? reason : `${reason}\n${context}`);
    this.name = 'DeviceDied';
    this.reason = reason;
  }
  static override [Symbol.hasInstance](value: unknown): value is DeviceDied {
    return (
      isOf(this, DeviceDied, value, 'DeviceDied') && typeof (value as Partial<DeviceDied>).reason === 'string'
    );
  }
}
