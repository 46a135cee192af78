/**
 * Counts by label values. `prom-client` hashes the labels of each count, 0.6 µs for a counter and 1.6 µs
 * for a histogram, which would be 3 % of a run. Here it's a look-up of 0.1 to 0.4 µs, and `prom-client` gets
 * the totals at a scrape.
 */
export class Tally<Cell> {
  readonly #cells = new Map<string, { readonly values: readonly string[]; readonly cell: Cell }>();
  readonly #create: () => Cell;

  constructor(create: () => Cell) {
    this.#create = create;
  }

  /** @param values one for each label, in the order of the catalog */
  cell(values: readonly string[]): Cell {
    const key = values.length === 1 ? (values[0] ?? "") : values.join("\n");
    let known = this.#cells.get(key);
    if (known === undefined) {
      known = { values, cell: this.#create() };
      this.#cells.set(key, known);
    }
    return known.cell;
  }

  /** @param names the names of the labels */
  *read(names: readonly string[]): Generator<{ labels: Record<string, string>; cell: Cell }> {
    for (const { values, cell } of this.#cells.values()) {
      const labels = Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
      yield { labels, cell };
    }
  }
}
