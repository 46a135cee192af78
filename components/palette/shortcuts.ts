type Shortcut = {
  readonly keys: readonly string[];
  readonly does: string;
  readonly href: string;
};

/** Keys that are pressed in sequence, outside of text fields. */
export const goShortcuts: readonly Shortcut[] = [
  { keys: ["g", "h"], does: "Go to Home", href: "/" },
  { keys: ["g", "p"], does: "Go to Problems", href: "/problems" },
  { keys: ["g", "k"], does: "Go to Hooks", href: "/hooks" },
  { keys: ["g", "d"], does: "Go to Deliveries", href: "/deliveries" },
  { keys: ["g", "r"], does: "Go to Runs", href: "/runs" },
  { keys: ["g", "f"], does: "Go to Failures", href: "/problems/failures" },
  { keys: ["g", "e"], does: "Go to Events", href: "/events" },
  { keys: ["g", "s"], does: "Go to Subscriptions", href: "/subscriptions" },
  { keys: ["g", "a"], does: "Go to Account", href: "/account" },
  { keys: ["c"], does: "Create a hook", href: "/hooks/new" },
];

type KeyStep =
  | { readonly kind: "none" }
  | { readonly kind: "wait" }
  | { readonly kind: "help" }
  | { readonly kind: "go"; readonly href: string };

/** The meaning of a key after the previous keys. */
export function readKeys(pressed: readonly string[]): KeyStep {
  if (pressed.at(-1) === "?") return { kind: "help" };
  const exact = goShortcuts.find(({ keys }) => keys.join(" ") === pressed.join(" "));
  if (exact !== undefined) return { kind: "go", href: exact.href };
  const isStarted = goShortcuts.some(({ keys }) => pressed.every((key, at) => keys[at] === key));
  if (isStarted) return { kind: "wait" };
  // A wrong second key may be a valid first one.
  return pressed.length > 1 ? readKeys(pressed.slice(-1)) : { kind: "none" };
}
