import { takesSecret } from "#lib/core/verify/missing-parts.ts";
import { findProvider } from "#lib/core/verify/providers.ts";
import type { Scheme } from "#lib/core/verify/scheme.ts";
import type { HookRecord } from "#lib/db/hook-record.ts";
import { readSettings } from "#lib/db/hook-rules.ts";

/** What a hook verifies with, as far as its owner is asked for it. */
export function describeProof({ provider, verification, secrets }: HookRecord) {
  const known = findProvider(provider);
  const own = verification !== null && "kind" in verification ? verification : null;
  const scheme = known?.scheme ?? own;
  const hasSecret = scheme !== null && takesSecret(scheme);
  return {
    takesSecret: hasSecret,
    asksSecret: hasSecret && secrets.length === 0,
    secretHelp: known?.secretHelp ?? null,
    secretShape: scheme === null ? null : toSecretShape(scheme, known?.secretStartsWith),
    settings: scheme === null ? [] : listSettings(scheme),
    settingValues: readSettings(verification),
  };
}

/** What can be told about a secret while somebody pastes it. */
export function toSecretShape(scheme: Scheme, startsWith: string | undefined) {
  const kinds = { publicKey: "publicKey", basic: "password" } as const;
  const kind = scheme.kind === "publicKey" || scheme.kind === "basic" ? kinds[scheme.kind] : "key";
  const rule = "secret" in scheme ? scheme.secret : undefined;
  return {
    kind,
    decode: rule?.decode ?? "utf8",
    prefix: rule?.stripPrefix ?? null,
    isPrefixRequired: rule?.prefixRequired === true,
    startsWith: startsWith ?? null,
  } as const;
}

/** Values to ask for beside the secret; one may be left out where there is a `fallback`, which says what counts then. */
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
