/** A table has a fact that it is not asked by, so that it cannot be decided. */
export class UnaskedFact extends RangeError {
  constructor(table: string, fact: string) {
    super(`table ${table} asks for ${fact}`);
    this.name = 'UnaskedFact';
  }
}
