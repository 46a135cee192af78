import { takesSecret } from "#lib/core/verify/missing-parts.ts";
import type { Provider } from "#lib/core/verify/provider.ts";
import { findProvider, listProviders } from "#lib/core/verify/providers.ts";
import { isSecretGiven } from "#lib/db/hook-rules.ts";
import { listSettings, toSecretShape } from "./describe-proof.ts";

/** What most people look for, in the order to offer it. */
const mostUsed = [
  "stripe",
  "github",
  "shopify",
  "slack",
  "twilio",
  "paypal",
  "gitlab",
  "hubspot",
  "sendgrid",
  "typeform",
  "calendly",
  "clerk",
];

/** Ways to sign rather than senders. */
const schemes = ["standard-webhooks", "standard-webhooks-ed25519", "basic-auth", "bearer", "cloudevents"];

export type ProviderGroup = "used" | "scheme" | "sender";

/** What a list of senders shows of each, and nothing more: there are many. */
export type ProviderEntry = {
  readonly id: string;
  readonly name: string;
  readonly group: ProviderGroup;
  /** Nobody has confirmed its scheme against the sender itself. */
  readonly isUnconfirmed?: true;
};

/** Senders to choose from: the most used first, then ways to sign, then all others by name. */
export function listProviderChoices(): readonly ProviderEntry[] {
  const entries = listProviders().map(({ id, name, confirmed }) => ({
    id,
    name,
    group: groupOf(id),
    ...(confirmed === false ? { isUnconfirmed: true as const } : {}),
  }));
  return entries.toSorted(
    (one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name, "en"),
  );
}

function groupOf(id: string): ProviderGroup {
  if (mostUsed.includes(id)) return "used";
  return schemes.includes(id) ? "scheme" : "sender";
}

function rank({ id, group }: ProviderEntry): number {
  if (group === "used") return mostUsed.indexOf(id);
  return group === "scheme" ? 100 + schemes.indexOf(id) : 200;
}

/** All that a form needs to know about the one sender that was chosen; undefined where there is none of that id. */
export function describeProviderChoice(id: string) {
  if (id === "generic" || id === "custom") return describeOwnScheme(id);
  const provider = findProvider(id);
  return provider === undefined ? undefined : describeProvider(provider);
}

function describeOwnScheme(id: "generic" | "custom") {
  return {
    id,
    name: id === "generic" ? "Anything else" : "Your own signature",
    isUnconfirmed: false,
    isSigned: id === "custom",
    takesSecret: id === "custom",
    isSecretGiven: false,
    settings: [],
    secretHelp: null,
    secretShape: null,
    whereToPaste: null,
    docsUrl: null,
  };
}

function describeProvider({ id, name, confirmed, scheme, secretStartsWith, ...texts }: Provider) {
  return {
    id,
    name,
    isUnconfirmed: confirmed === false,
    isSigned: true,
    takesSecret: takesSecret(scheme),
    isSecretGiven: isSecretGiven({ provider: id }),
    settings: listSettings(scheme),
    secretHelp: texts.secretHelp,
    secretShape: toSecretShape(scheme, secretStartsWith),
    whereToPaste: texts.whereToPaste,
    docsUrl: texts.docsUrl,
  };
}
