import { VerbsError } from '../../adapter.ts';
import { errno, type Pointer } from '../ffi.ts';
import type { Handles } from './handles.ts';

/** errno of a call that failed: -1 leaves it in errno; everything else is the errno itself, with either sign. */
export function reasonOf(result: number): number {
  return result === -1 ? errno() : Math.abs(result);
}

/** VerbsError where a call that gives 0 has failed. */
export function done(call: string, result: number): void {
  if (result !== 0) throw new VerbsError(call, reasonOf(result));
}

/** VerbsError where a call that gives an object has failed. */
export function made(call: string, pointer: Pointer | null): Pointer {
  if (pointer === null) throw new VerbsError(call, errno());
  return pointer;
}

/** Ends an object by its call, and forgets it where that succeeds. VerbsError where it does not. */
export function destroyed(
  call: string,
  objects: Handles<Pointer>,
  handle: number,
  end: (pointer: Pointer) => number,
): void {
  done(call, end(objects.get(call, handle)));
  objects.delete(handle);
}
