import type { PortAttr } from '../../../spec/verbs.ts';
import { unusedGid } from '../../../wire/gid.ts';
import { VerbsError } from '../../adapter.ts';
import { attrBytes, decodePortAttr, gidTableLength } from '../attributes.ts';
import { errno } from '../ffi.ts';
import type { Libibverbs, Pointer } from '../ffi.ts';
import { done } from './results.ts';

/** GIDs that are read at most; tables of vendors' devices have hundreds of entries, nearly all unused. */
const maxGids = 16;

/** The first port of a device, by libibverbs. Calls throw VerbsError. */
export class VerbsPort {
  readonly #lib: Libibverbs;
  readonly #context: Pointer;
  readonly #number = 1;

  constructor(lib: Libibverbs, context: Pointer) {
    this.#lib = lib;
    this.#context = context;
  }

  query(): PortAttr {
    return decodePortAttr(this.#attributes());
  }

  /** `struct ibv_port_attr` */
  #attributes(): Buffer {
    const bytes = Buffer.alloc(attrBytes.port);
    done('ibv_query_port', this.#lib.queryPort(this.#context, this.#number, bytes));
    return bytes;
  }

  /** The first GIDs of the port, 32 hex digits each, 0 where an entry is not used or cannot be read. */
  gids(): string[] {
    const gid = Buffer.alloc(16);
    const length = Math.min(gidTableLength(this.#attributes()), maxGids);
    return Array.from({ length }, (_, index) =>
      this.#lib.queryGid(this.#context, this.#number, index, gid) === 0 ? gid.toString('hex') : unusedGid,
    );
  }

  /** An entry of the P_Key table. */
  pkey(index: number): number {
    const pkey = Buffer.alloc(2);
    if (this.#lib.queryPkey(this.#context, this.#number, index, pkey) !== 0)
      throw new VerbsError('ibv_query_pkey', errno());
    return pkey.readUInt16BE();
  }
}
