const atOnce = 4;

/**
 * `Promise.all` for reads of a page: only a few run at once, so that one page doesn't take all
 * connections of the pool from the others.
 */
export async function mapFew<Item, Value>(
  items: readonly Item[],
  work: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const values: Value[] = [];
  const left = items.entries();
  const takeTurns = async () => {
    for (const [place, item] of left) values[place] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, takeTurns));
  return values;
}
