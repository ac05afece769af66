import type { RuleSet } from '../rules.ts';

/** A map that notes what was got from it. */
class Noting<Part> extends Map<string, Part> {
  readonly #got = new Map<string, Part | undefined>();

  override get(id: string): Part | undefined {
    const found = super.get(id);
    this.#got.set(id, found);
    return found;
  }

  /** Whether another map has the same for all that was got. */
  agrees(other: ReadonlyMap<string, Part>): boolean {
    for (const [id, part] of this.#got) if (other.get(id) !== part) return false;
    return true;
  }
}

/**
 * Makes something of rules. A variant of rules (see `RuleSet.base`) shares what they made, if it has the same machines and tables
 * of those that were asked for by id; `make` may ask the rules for nothing else.
 */
export function shared<Made>(make: (rules: RuleSet) => Made): (rules: RuleSet) => Made {
  const known = new WeakMap<RuleSet, { agrees(variant: RuleSet): boolean; made: Made }>();
  return (rules) => {
    const before = rules.base && known.get(rules.base);
    if (before?.agrees(rules)) return before.made;
    const machines = new Noting(rules.machines);
    const tables = new Noting(rules.tables);
    const made = make({ ...rules, machines, tables });
    known.set(rules, {
      made,
      agrees: (variant) => machines.agrees(variant.machines) && tables.agrees(variant.tables),
    });
    return made;
  };
}
