import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { readScheme, readSettings } from "#lib/core/verify/hook/hook-rules.ts";
import { takesSecret } from "#lib/core/verify/scheme/missing-parts.ts";
import type { Scheme } from "#lib/core/verify/scheme/scheme.ts";
import { kindOfSecret } from "#lib/core/verify/scheme/secret.ts";
import type { HookRecord } from "#lib/services/hooks/read-hooks.ts";

/** The proof that a hook's owner has to provide. */
export function describeProof({ provider, verification, secrets }: HookRecord) {
  const known = findProvider(provider);
  const scheme = known?.scheme ?? readScheme(verification);
  const hasSecret = scheme !== null && takesSecret(scheme);
  return {
    takesSecret: hasSecret,
    asksSecret: hasSecret && secrets.length === 0,
    secretHelp: known?.secretHelp ?? null,
    secretShape:
      scheme === null
        ? null
        : toSecretShape(scheme, { id: provider, startsWith: known?.secretStartsWith }),
    settings: scheme === null ? [] : listSettings(scheme),
    settingValues: readSettings(verification),
  };
}

/** The facts about a secret that the form checks while it is pasted. */
export function toSecretShape(
  scheme: Scheme,
  { id, startsWith }: { readonly id: string; readonly startsWith: string | undefined },
) {
  const rule = "secret" in scheme ? scheme.secret : undefined;
  return {
    kind: kindOfSecret(scheme),
    decode: rule === undefined || rule.orText === true ? "utf8" : rule.decode,
    prefix: rule?.stripPrefix ?? null,
    isPrefixRequired: rule?.prefixRequired === true,
    startsWith: startsWith ?? null,
    isChosen:
      id === "custom" ? scheme.kind !== "publicKey" : findProvider(id)?.isSecretChosen === true,
  } as const;
}

/**
 * Values to ask for besides the secret. One with a `fallback` may be omitted; it says what applies
 * then.
 */
export function listSettings(scheme: Scheme) {
  if (scheme.kind !== "code") return [];
  return (scheme.settings ?? []).map(({ name, label, help, example, fallback = null }) => ({
    name,
    label,
    help,
    example,
    fallback,
  }));
}
