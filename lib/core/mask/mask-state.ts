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
};

type Rest = readonly string[];

/** What is masked at the top of a payload. */
export function startMasking(fields: readonly string[]): MaskState {
  const whole = fields.map(readPattern);
  const parts = whole.flatMap((names) => names.slice(1).map((_, index) => names.slice(index + 1)));
  const named = parts.filter((names) => names.some((name) => !isWildcard(name)));
  return { whole, rests: close([...whole, ...named]) };
}

/** What is masked in the value of a name. */
export function enterName({ whole, rests }: MaskState, name: string): MaskState {
  const key = name.toLowerCase();
  const next = rests.flatMap((rest): Rest[] => {
    const [first, ...others] = rest;
    if (first === "**") return [rest];
    return first === "*" || first === key ? [others] : [];
  });
  return { whole, rests: close([...next, ...whole]) };
}

/** Lists are passed through, and an index counts as a name too. */
export function enterItem(state: MaskState, index: number): MaskState {
  const named = enterName(state, String(index));
  return { whole: state.whole, rests: close([...state.rests, ...named.rests]) };
}

export function isMasked({ rests }: MaskState): boolean {
  return rests.some((rest) => rest.length === 0);
}

/** Templates call the body `payload`, so a field may begin with it. */
function readPattern(field: string): Rest {
  const names = field.toLowerCase().split(".");
  return names.length > 1 && names[0] === "payload" ? names.slice(1) : names;
}

/** `**` can also stand for no name. */
function close(rests: readonly Rest[]): readonly Rest[] {
  const closed = new Map<string, Rest>();
  for (const rest of rests) {
    const depth = rest.findIndex((name) => name !== "**");
    const last = depth === -1 ? rest.length : depth;
    for (let at = 0; at <= last; at += 1) closed.set(rest.slice(at).join("."), rest.slice(at));
  }
  return [...closed.values()];
}

function isWildcard(name: string): boolean {
  return name === "*" || name === "**";
}
