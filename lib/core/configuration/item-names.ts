/** Something that others in the file refer to by its name. */
export type Named<Item> = Item & { readonly ref: string };

/**
 * Names items so that each name is there once: the second "Orders" is "Orders #2". The order of the
 * items is that of their creation, in a file as in an account, unless an item of a file has its number.
 */
export function nameItems<Item extends object>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): readonly Named<Item>[] {
  const names = new Set(items.map(nameOf));
  const last = new Map<string, number>();
  return items.map((item) => {
    const name = nameOf(item);
    if (isNumbered(item)) return { ...item, ref: `${name} #${item.number}` };
    const before = last.get(name);
    if (before === undefined) {
      last.set(name, 1);
      return { ...item, ref: name };
    }
    let number = before + 1;
    while (names.has(`${name} #${number}`)) number += 1;
    last.set(name, number);
    return { ...item, ref: `${name} #${number}` };
  });
}

function isNumbered(item: object): item is { readonly number: number } {
  return "number" in item && typeof item.number === "number";
}

/** The item of the account that one of a file stands for: that of its name, or of its former one. */
export function findKnown<Item>(
  stored: readonly Named<Item>[],
  { ref, was }: { readonly ref: string; readonly was?: string | undefined },
): Named<Item> | undefined {
  const known = stored.find((each) => each.ref === ref);
  if (known !== undefined || was === undefined) return known;
  return stored.find((each) => each.ref === was);
}

/** The name of a subscription, which has none of its own. */
export function nameSubscription({
  recipient,
  receiverUrl,
}: {
  readonly recipient: string | null;
  readonly receiverUrl: string;
}): string {
  return recipient === null ? receiverUrl : `${recipient}: ${receiverUrl}`;
}

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type Change = (request: Json, key: string, path: string) => Json;

/** Changes the requests of an action's calls, before it is parsed. The only call has its own key. */
export function mapCalls(action: Json, onlyKey: string, change: Change): Json {
  const { request, steps } = action;
  return {
    ...action,
    ...(isObject(request) ? { request: change(request, onlyKey, "request") } : {}),
    ...(Array.isArray(steps) ? { steps: mapList(steps, "steps", change) } : {}),
  };
}

function mapList(steps: readonly unknown[], path: string, change: Change): unknown[] {
  return steps.map((step, index) => {
    if (!isObject(step)) return step;
    const at = `${path}.${index}`;
    const { request, onFailure } = step;
    const changed = isObject(request)
      ? { request: change(request, String(step.key), `${at}.request`) }
      : {};
    const branch =
      isObject(onFailure) && Array.isArray(onFailure.steps)
        ? {
            onFailure: {
              ...onFailure,
              steps: mapList(onFailure.steps, `${at}.onFailure.steps`, change),
            },
          }
        : {};
    return { ...step, ...changed, ...branch };
  });
}

/** The names of the fields of `after` that `before` has otherwise. One that isn't given stays. */
export function listDifferences(before: object, after: object): string[] {
  return Object.entries(after)
    .filter(([name, value]) => {
      const known: unknown = Reflect.get(before, name);
      return value !== undefined && JSON.stringify(value) !== JSON.stringify(known ?? null);
    })
    .map(([name]) => name);
}
