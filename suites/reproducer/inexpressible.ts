/** What cannot be said in C, and why. */
export class Inexpressible extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'Inexpressible';
  }
}
