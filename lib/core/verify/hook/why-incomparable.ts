import { listDedupeDefaults } from "./hook-rules.ts";

type Compared = { readonly provider: string; readonly dedupe: unknown };

/**
 * Why the events of a hook can't be compared with what its provider lists: only the provider's own
 * identity is known to be the same in a list. Null: they can.
 */
export function whyIncomparable({ provider, dedupe }: Compared, name: string): string | null {
  const own = JSON.stringify(dedupe);
  if (listDedupeDefaults(provider).some((rule) => JSON.stringify(rule) === own)) return null;
  return (
    `This hook tells events apart by a rule of its own, and ${name} lists events without what a ` +
    "webhook adds to them. Set the rule back to the provider's identity first."
  );
}
