/** An object with only these fields of another one. */
export function pick<Item extends object, Name extends keyof Item>(
  item: Item,
  ...names: readonly Name[]
): Pick<Item, Name> {
  return Object.fromEntries(names.map((name) => [name, item[name]])) as Pick<Item, Name>;
}
