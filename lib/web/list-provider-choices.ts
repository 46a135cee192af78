import { takesSecret } from "#lib/core/verify/missing-parts.ts";
import { listProviders } from "#lib/core/verify/providers.ts";
import type { Scheme } from "#lib/core/verify/scheme.ts";

/**
 * What a form offers: senders by name, with what to tell about each. `settings` are values to ask for beside the secret,
 * sent as `verification.settings`; where `takesSecret` is false there is none to paste.
 */
export function listProviderChoices() {
  return listProviders()
    .map(({ id, name, secretHelp, scheme }) => ({
      id,
      name,
      secretHelp,
      takesSecret: takesSecret(scheme),
      settings: listSettings(scheme),
    }))
    .toSorted((one, other) => one.name.localeCompare(other.name, "en"));
}

/** A value may be left out where there is a `fallback`, which says what counts then. */
function listSettings(scheme: Scheme) {
  if (scheme.kind !== "code") return [];
  return (scheme.settings ?? []).map(({ name, label, help, example, fallback = null }) => ({
    name,
    label,
    help,
    example,
    fallback,
  }));
}
