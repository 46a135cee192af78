/** Where a sender's proof can be: from the scheme where that is data, from a table where it is code, which keeps it to itself. */
import type { Provider } from "#lib/core/verify/provider.ts";
import type { Scheme } from "#lib/core/verify/scheme.ts";
import type { ValueSource } from "#lib/schema/verification.ts";

const ofCode: Readonly<Record<string, readonly string[] | undefined>> = {
  "aws-sns": ["x-amz-sns-message-type", "x-amz-sns-topic-arn"],
  contentful: ["x-contentful-signature", "x-contentful-signed-headers"],
  ebay: ["x-ebay-signature"],
  fal: ["x-fal-webhook-signature"],
  fusionauth: ["x-fusionauth-signature-jwt"],
  "google-pubsub": ["authorization"],
  hygraph: ["gcms-signature"],
  infisical: ["x-infisical-signature"],
  "lago-jwt": ["x-lago-signature"],
  livekit: ["authorization"],
  "mercado-pago": ["x-signature"],
  messagebird: ["messagebird-signature-jwt"],
  monday: ["authorization"],
  netlify: ["x-webhook-signature"],
  paypal: ["paypal-transmission-sig"],
  plaid: ["plaid-verification"],
  "plivo-v3": ["x-plivo-signature-v3"],
  twilio: ["x-twilio-signature"],
  vonage: ["authorization"],
};

/** Lower-case names. Takes what storage gives for a scheme; empty where the proof is in no header, or nothing is known. */
export function listProofHeaders(sender: {
  readonly id: string;
  readonly scheme: unknown;
}): readonly string[] {
  const { id, scheme } = sender;
  if (typeof scheme !== "object" || scheme === null) return [];
  const { kind } = scheme as Scheme;
  if (kind === "code") return ofCode[id] ?? [];
  if (kind === "basic" || kind === "bearer") return ["authorization"];
  return listProofSources(scheme as Scheme).flatMap((source) =>
    source.from === "header" ? [source.name] : [],
  );
}

export function listProofSources(scheme: Provider["scheme"]): readonly ValueSource[] {
  if ("signature" in scheme) return scheme.signature.sources;
  return "source" in scheme ? [scheme.source] : [];
}
