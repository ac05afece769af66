import { AdapterBroken, type Verbs, type Wire } from '../../adapters/adapter.ts';
import {
  isRecord,
  schemaDefinitions,
  ShapeError,
  wide,
  type Check,
  type Schema,
} from '../../adapters/agent/check.ts';
import { calls, deviceCalls, optionalCalls } from '../../adapters/agent/protocol.ts';
import { asyncEvent } from '../../adapters/agent/shapes.ts';
import { messageOf } from '../exit-codes.ts';

type Method = (...args: unknown[]) => unknown;

const definitions = schemaDefinitions();

/** Calls of the protocol that are no verbs: they stand for the clock, the wire and the port. */
const noVerbs = new Set<string>(['hello', 'reset', 'advance', 'ping', 'deliver', 'set_link', 'set_gid']);
const verbNames = new Set<string>(deviceCalls.filter((name) => !noVerbs.has(name)));
const results = new Map<string, Check<unknown>>(
  Object.entries(calls).map(([name, { result }]) => [name, result]),
);
const optional = new Set<string>(optionalCalls);
/** What any device has. */
const needed = new Set(
  [...verbNames].filter((name) => !optional.has(name)).concat('onCqEvent', 'onAsyncEvent'),
);

/** As much of a value as its schema names, as it would stand on a line: what a module gives beyond that is its own affair. */
function asOnLine(value: unknown, schema: Schema): unknown {
  const { $ref: reference, properties, items } = schema;
  if (typeof reference === 'string')
    return asOnLine(value, definitions[reference.replace('#/$defs/', '')] ?? {});
  if (typeof value === 'bigint') return schema === wide.schema ? String(value) : value;
  if (Array.isArray(value)) return isRecord(items) ? value.map((entry) => asOnLine(entry, items)) : value;
  if (!isRecord(value) || !isRecord(properties)) return value;
  const kept = Object.entries(value).flatMap(([key, entry]) => {
    const inner = properties[key];
    return isRecord(inner) && entry !== undefined ? [[key, asOnLine(entry, inner)] as const] : [];
  });
  return Object.fromEntries(kept);
}

/** Throws ShapeError where what a call gave is none of its results. */
function mustFit(name: string, args: readonly unknown[], given: unknown): void {
  if (name === 'read_memory') {
    const length = args[2];
    if (!(given instanceof Uint8Array)) throw new ShapeError(name, 'a Uint8Array', given);
    if (given.length !== length)
      throw new ShapeError(name, `${String(length)} bytes`, `${given.length} bytes`);
    return;
  }
  const shape = results.get(name);
  if (shape === undefined) return;
  if (shape === calls.dereg_mr.result) {
    // a call of libibverbs that is handed on as it is gives an errno where it fails
    if (typeof given === 'number' && given !== 0)
      throw new ShapeError(name, 'nothing, and a refusal a VerbsError', given);
    return;
  }
  if (typeof given === 'object' && given !== null && 'addr' in given && typeof given.addr !== 'bigint')
    throw new ShapeError(`${name}.addr`, 'a bigint', given.addr);
  shape(asOnLine(given, shape.schema), name);
}

/**
 * Looks at what the verbs of a module give, which is in no type that anybody has checked. What does not fit is AdapterBroken, as of a
 * device beyond a pipe, with the name of the call and of the field: of a result in place of it, of an event or a frame at the
 * next call. `shown` names the module.
 */
export class CheckedResults {
  readonly #shown: string;
  #broken: AdapterBroken | undefined;

  constructor(shown: string) {
    this.#shown = shown;
  }

  verbs(of: Verbs): Verbs {
    const made = new Map<string, Method>();
    return new Proxy(of, {
      get: (target, name): unknown => {
        const value: unknown = Reflect.get(target, name, target);
        if (value === undefined && typeof name === 'string' && needed.has(name)) return this.#missing(name);
        if (typeof value !== 'function' || typeof name !== 'string') return value;
        let method = made.get(name);
        if (method === undefined) {
          const own: Method = (...args) => Reflect.apply(value, target, args);
          method = verbNames.has(name) ? this.#call(name, own) : this.#listening(name, own);
          made.set(name, method);
        }
        return method;
      },
    });
  }

  wire(of: Wire): Wire {
    return {
      send: (frame) => of.send(frame),
      onFrame: (listener) =>
        of.onFrame((frame: unknown, time) => {
          const fits = this.#fits(() => {
            if (!(frame instanceof Uint8Array))
              throw new ShapeError('wire.onFrame: frame', 'a Uint8Array', frame);
          });
          if (fits && frame instanceof Uint8Array) listener(frame, time);
        }),
    };
  }

  #missing(name: string): Method {
    return () => {
      this.#fits(() => {
        throw ShapeError.missing(`bench.verbs.${name}()`);
      });
      throw this.#broken;
    };
  }

  #call(name: string, own: Method): Method {
    const looked = (args: readonly unknown[], given: unknown): unknown => {
      if (!this.#fits(() => mustFit(name, args, given))) throw this.#broken;
      return given;
    };
    return (...args) => {
      if (this.#broken !== undefined) return Promise.reject(this.#broken);
      const given = own(...args);
      const later = typeof given === 'object' && given !== null && 'then' in given;
      return later
        ? Promise.resolve(given).then((value: unknown) => looked(args, value))
        : looked(args, given);
    };
  }

  #listening(name: string, own: Method): Method {
    if (!name.startsWith('on')) return own;
    return (listener: unknown, ...rest) =>
      own(
        (event: unknown, time: unknown) => {
          const fits = this.#fits(() => {
            if (name !== 'onCqEvent') asyncEvent(asOnLine(event, asyncEvent.schema), `${name}: event`);
            else if (!Number.isSafeInteger(event)) throw new ShapeError(`${name}: cq`, 'an integer', event);
          });
          if (fits && typeof listener === 'function') Reflect.apply(listener, undefined, [event, time]);
        },
        ...rest,
      );
  }

  /** Whether a check passes; if not, every call from now on says why. */
  #fits(check: () => void): boolean {
    try {
      check();
      return true;
    } catch (thrown) {
      this.#broken ??= new AdapterBroken(`adapter module ${this.#shown}: ${messageOf(thrown)}`);
      return false;
    }
  }
}
