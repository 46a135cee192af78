/**
 * Standard Webhooks 1.0.0 and providers that use Svix: one scheme, and two families of header
 * names, either of which is accepted. `v1a` (ed25519) signatures in the same header are ignored: a
 * public key can never be used as a `v1` secret.
 */
import type { MacScheme } from "#lib/core/verify/scheme/scheme.ts";
import { inBody } from "./places.ts";
import type { Provider } from "./provider.ts";

const secretHelp =
  "The complete signing secret, including whsec_. The part after the prefix is decoded as base64.";

const identity: Provider["identity"] = {
  why: "Each message has a unique, signed id, which stays the same on retries.",
  source:
    "https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md",
};

type Fields = Pick<Provider, "scheme" | "eventId" | "identity" | "eventType" | "secretHelp">;

/**
 * Shared by all providers that follow the specification. Most secrets start with `whsec_`, but not
 * all.
 */
export const byStandardWebhooks: Fields = {
  scheme: standardScheme("webhook", { prefixRequired: false }),
  eventId: standardIds("webhook"),
  identity,
  eventType: [inBody("type")],
  secretHelp,
};

export const bySvix: Fields = {
  scheme: standardScheme("svix", { prefixRequired: false }),
  eventId: standardIds("svix"),
  identity,
  eventType: [inBody("type")],
  secretHelp,
};

/** The message id, from the scheme's own header family first. */
export function standardIds(prefix: Family): readonly { from: "header"; name: string }[] {
  return [prefix, otherFamily(prefix)].map((start) => ({ from: "header", name: `${start}-id` }));
}

type Family = "webhook" | "svix";

function otherFamily(prefix: Family): Family {
  return prefix === "svix" ? "webhook" : "svix";
}

/**
 * `prefix` is the family of the header names: `webhook-id`, `svix-id`. If none of these headers is
 * present, the other family counts: Svix and its library send either.
 */
export function standardScheme(
  prefix: Family,
  { prefixRequired }: { prefixRequired: boolean },
): MacScheme {
  return {
    kind: "mac",
    mac: "hmac",
    hash: "sha256",
    encoding: "base64",
    signature: {
      sources: [{ from: "header", name: `${prefix}-signature` }],
      format: { type: "pairs", itemSeparator: " ", keySeparator: ",", key: "v1" },
    },
    signed: {
      template: "{id}.{timestamp}.{body}",
      values: { id: { from: "header", name: `${prefix}-id` } },
    },
    headerAlias: { prefix: `${prefix}-`, alias: `${otherFamily(prefix)}-` },
    secret: { decode: "base64", stripPrefix: "whsec_", prefixRequired },
    timestamp: {
      source: { from: "header", name: `${prefix}-timestamp` },
      unit: "s",
      pastSeconds: 300,
      futureSeconds: 300,
    },
  };
}
