import { readSteps } from "#lib/schema/field/value-path.ts";

/**
 * Where a walk through a payload stands in the patterns of masked fields.
 *
 * Patterns match at any depth, because the same fields arrive in an envelope, a batch, or an event.
 * At the top they also match without their first names, because an event of a batch, and what a hook
 * publishes of an envelope, is a part of a payload. Masking too much is the safe side.
 */
export type MaskState = {
  /** The patterns, which may begin at any depth. */
  readonly whole: readonly Rest[];
  /** The names that are still to come. None: the value is masked, whatever it contains. */
  readonly rests: readonly Rest[];
  /** The names that `rests` may continue with. All others lead to the same state. */
  readonly names: ReadonlySet<string>;
  /** By name, with `other` for those that aren't in `names`. */
  readonly byName: Map<string, MaskState>;
  /** The same for items of a list, by index. */
  readonly byIndex: Map<string, MaskState>;
  /** Every state that these patterns came to, so that a large payload needs few. */
  readonly all: Map<string, MaskState>;
};

type Rest = readonly string[];

/** No name of a pattern is empty. */
const other = "";
/** Patterns with many wildcards have many states. Those beyond it are made again. */
const maxStates = 2_000;

/** The masked fields at the top of a payload. */
export function startMasking(fields: readonly string[]): MaskState {
  const whole = fields.map(readPattern);
  const parts = whole.flatMap((names) => names.slice(1).map((_, index) => names.slice(index + 1)));
  const named = parts.filter((names) => names.some((name) => !isWildcard(name)));
  return toState({ whole, all: new Map() }, [...whole, ...named]);
}

/** The masked fields in the value of a name. */
export function enterName(state: MaskState, name: string): MaskState {
  const key = toKey(state, name.toLowerCase());
  return remember(state.byName, key, () => {
    const next = state.rests.flatMap((rest): Rest[] => {
      const [first, ...others] = rest;
      if (first === "**") return [rest];
      return first === "*" || first === key ? [others] : [];
    });
    return toState(state, [...next, ...state.whole]);
  });
}

/**
 * The same for a name that may stand for several, such as `customer.email` or `customer[email]`, or that is
 * another one with a mark before it, such as `sf:Email` or `@email` of XML.
 */
export function enterNames(state: MaskState, name: string): MaskState {
  const whole = enterName(state, name);
  if (!/[.[\]:@]/.test(name)) return whole;
  const names = name.split(/[.[\]]+/).filter((part) => part !== "");
  const inside = names.slice(0, maxNamesInOne).reduce(enterName, state);
  const unmarked = enterName(state, name.replace(/^@/, ""));
  const local = enterName(state, name.replace(/^.*[:@]/s, ""));
  return toState(state, [...whole.rests, ...inside.rests, ...unmarked.rests, ...local.rests]);
}

/** More than a pattern has. */
const maxNamesInOne = 100;

/** Lists are passed through, and an index counts as a name too. */
export function enterItem(state: MaskState, index: number): MaskState {
  const name = String(index);
  return remember(state.byIndex, toKey(state, name), () =>
    toState(state, [...state.rests, ...enterName(state, name).rests]),
  );
}

export function isMasked({ rests }: MaskState): boolean {
  return rests.some((rest) => rest.length === 0);
}

function toKey({ names }: MaskState, name: string): string {
  return names.has(name) ? name : other;
}

function remember(known: Map<string, MaskState>, key: string, find: () => MaskState): MaskState {
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}

/** The same rests have the same state. */
function toState(
  { whole, all }: Pick<MaskState, "whole" | "all">,
  open: readonly Rest[],
): MaskState {
  const closed = close(open);
  const rests = [...closed.values()];
  const key = [...closed.keys()].toSorted().join("\n");
  const known = all.get(key);
  if (known !== undefined) return known;
  const names = new Set(rests.flatMap(([first]) => first ?? []));
  const state = { whole, rests, names, byName: new Map(), byIndex: new Map(), all };
  if (all.size < maxStates) all.set(key, state);
  return state;
}

/** Templates call the body `payload`, so a field may begin with it. */
function readPattern(field: string): Rest {
  const names = readSteps(field).map((name) => String(name).toLowerCase());
  return names.length > 1 && names[0] === "payload" ? names.slice(1) : names;
}

/** `**` can also stand for no name. */
function close(rests: readonly Rest[]): ReadonlyMap<string, Rest> {
  const closed = new Map<string, Rest>();
  for (const rest of rests) {
    const depth = rest.findIndex((name) => name !== "**");
    const last = depth === -1 ? rest.length : depth;
    for (let at = 0; at <= last; at += 1) closed.set(rest.slice(at).join("\0"), rest.slice(at));
  }
  return closed;
}

function isWildcard(name: string): boolean {
  return name === "*" || name === "**";
}
