import type { Ledger } from '../rulebook/ledger.ts';
import type { LedgerPart } from '../rulebook/ledger.ts';
import type { Rule } from '../rules.ts';
import type { TraceHeader } from '../trace.ts';
import { HeldVerdicts } from './complete/held.ts';
import type { HeldPart } from './complete/held.ts';
import { CompletePorts } from './complete/ports.ts';
import { Copies } from './copies.ts';
import type { CopiesPart } from './copies.ts';

/** What judges of parts of one capture have found, as plain data. */
export interface CapturePart {
  ledger: LedgerPart;
  copies: CopiesPart;
  held: HeldPart;
  /** addresses of `complete` that no packet came from or went to */
  unseen: readonly string[];
}

/** What is known only at the end of a capture: whether it holds frames twice, and whether it has lost any. */
export class CaptureFindings {
  readonly copies: Copies;
  readonly held: HeldVerdicts;
  /** `undefined` where the capture may have lost packets */
  readonly ports: CompletePorts | undefined;
  readonly #ledger: Ledger;

  constructor({ complete }: Pick<TraceHeader, 'complete'>, ledger: Ledger) {
    this.#ledger = ledger;
    this.copies = new Copies(ledger);
    this.held = new HeldVerdicts(ledger.now);
    this.ports = complete && new CompletePorts(complete);
  }

  part(): CapturePart {
    return {
      ledger: this.#ledger.part(),
      copies: this.copies.part(),
      held: this.held.part(),
      unseen: this.ports?.unseen ?? [],
    };
  }

  /** Takes over what others have found, as if it had judged their packets itself. */
  gather(parts: readonly CapturePart[], rules: readonly Rule[]): void {
    this.#ledger.gather(
      parts.map(({ ledger }) => ledger),
      rules,
    );
    this.copies.gather(parts.map(({ copies }) => copies));
    this.held.gather(
      parts.map(({ held }) => held),
      rules,
    );
    for (const { unseen } of parts) this.ports?.sawAllBut(unseen);
  }

  /** Nothing follows: hands everything to the ledger. */
  finish(): void {
    this.copies.finish();
    if (this.ports === undefined) return;
    this.held.finish(this.#ledger);
    for (const address of this.ports.unseen)
      this.#ledger.doubt(`--at ${address}: the capture holds no request to this end or from it`);
  }
}
