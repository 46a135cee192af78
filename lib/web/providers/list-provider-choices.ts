import { findProvider, listProviders } from "#lib/core/providers/catalog/catalog.ts";
import type { Provider } from "#lib/core/providers/shapes/provider.ts";
import { whyNoPath } from "#lib/core/verify/hook/hook-path.ts";
import { isSecretFromHandshake } from "#lib/core/verify/hook/hook-rules.ts";
import { takesSecret } from "#lib/core/verify/scheme/missing-parts.ts";
import { listSettings, toSecretShape } from "#lib/web/hooks/describe-proof.ts";

type ProviderGroup = "used" | "scheme" | "provider";

/** The few fields that the list shows of each provider: there are many. */
type ProviderEntry = {
  readonly id: string;
  readonly name: string;
  readonly group: ProviderGroup;
  /** Its scheme has not been confirmed against the provider itself. */
  readonly isUnconfirmed?: true;
};

/**
 * Providers to choose from: the most popular first, then authentication methods, then all others by
 * name.
 */
export function listProviderChoices(): readonly ProviderEntry[] {
  const entries = listProviders().map(({ id, name, listing, proof }) => ({
    id,
    name,
    group: listing?.group ?? ("provider" as const),
    ...(proof.describedBy === "others" ? { isUnconfirmed: true as const } : {}),
  }));
  const listed = entries.filter(({ group }) => group !== "provider");
  const others = entries.filter(({ group }) => group === "provider");
  return [...listed, ...others.toSorted((one, other) => one.name.localeCompare(other.name, "en"))];
}

/** Everything that a form needs about the chosen provider; undefined if the id is unknown. */
export function describeProviderChoice(id: string) {
  if (id === "generic" || id === "custom") return describeOwnScheme(id);
  const provider = findProvider(id);
  return provider === undefined ? undefined : describeProvider(provider);
}

function describeOwnScheme(id: "generic" | "custom") {
  return {
    id,
    name: id === "generic" ? "Other (unsigned)" : "Custom signature",
    isUnconfirmed: false,
    isSigned: id === "custom",
    takesSecret: id === "custom",
    isSecretFromHandshake: false,
    whyNoPath: whyNoPath(id),
    settings: [],
    secretHelp: null,
    secretShape: null,
    whereToPaste: null,
    docsUrl: null,
  };
}

function describeProvider({ id, name, proof, scheme, secretStartsWith, ...texts }: Provider) {
  return {
    id,
    name,
    isUnconfirmed: proof.describedBy === "others",
    isSigned: true,
    takesSecret: takesSecret(scheme),
    isSecretFromHandshake: isSecretFromHandshake({ provider: id }),
    whyNoPath: whyNoPath(id),
    settings: listSettings(scheme),
    secretHelp: texts.secretHelp,
    secretShape: toSecretShape(scheme, { id, startsWith: secretStartsWith }),
    whereToPaste: texts.whereToPaste,
    docsUrl: texts.docsUrl,
  };
}
