const pieces = 6;

interface Piece {
  marks: number;
  /** how many there should have been */
  expected: number;
}

/**
 * How marks lie along a curve of probabilities. The way between the thresholds is cut into sixths, and each packet is held
 * against what the packets before it in its sixth make of the curve: `evidence` is how much likelier the marks were by that than by the
 * curve itself. Whatever the queue does, evidence of 1/p is no likelier than p where the marks are those of the curve (Ville's
 * inequality), so that every curve of another shape is found, sooner or later, and no sound one.
 */
export class MarkingShape {
  /** natural logarithm of the evidence, at its greatest so far */
  most = 0;
  readonly #pieces: readonly Piece[] = Array.from({ length: pieces }, () => ({ marks: 0, expected: 0 }));
  #evidence = 0;

  /** A packet so far along the way (from 0 to 1), which the curve marks with this chance (from 0 to 1), was marked or not. */
  see(along: number, chance: number, marked: boolean): void {
    const piece = this.#pieces[Math.min(pieces - 1, Math.floor(along * pieces))];
    if (piece === undefined) return;
    // one packet more than have come, marked as the curve has it, so that the first ones say little
    const scale = (piece.marks + 1) / (piece.expected + 1);
    const likely = Math.min(chance * scale, (1 + chance) / 2);
    if (marked) this.#evidence += Math.log(likely / chance);
    else this.#evidence += chance < 1 ? Math.log((1 - likely) / (1 - chance)) : Infinity;
    this.most = Math.max(this.most, this.#evidence);
    piece.expected += chance;
    if (marked) piece.marks++;
  }

  /** Marks in each sixth, and how many there should have been. */
  words(): { expected: string; observed: string } {
    return {
      expected: this.#pieces.map(({ expected }) => expected.toFixed(1)).join(', '),
      observed: this.#pieces.map(({ marks }) => String(marks)).join(', '),
    };
  }
}
