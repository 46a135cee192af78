/** Clues in the headers when the signature is missing or looks like another provider's. */

import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { listProofHeaders } from "#lib/core/verify/recognize/proof-headers.ts";
import { suggestProvider } from "#lib/core/verify/recognize/suggest-provider.ts";
import type { VerifyFailureReason } from "#lib/core/verify/scheme/failure.ts";
import type { Scheme } from "#lib/core/verify/scheme/scheme.ts";
import type { Finding } from "./diagnosis.ts";
import type { DiagnosisInput } from "./diagnosis-input.ts";
import { findHiddenCredential } from "./hidden-credential.ts";
import { showHeaderName } from "./hypothesis.ts";
import { readDigest } from "./signature-shapes.ts";

export function findProofClues(
  input: DiagnosisInput,
  reason: VerifyFailureReason | null,
): readonly Finding[] {
  const { headers } = input.request;
  const { scheme } = input.hook;
  const proof = listProofHeaders({ scheme });
  const hidden = findHiddenCredential(input);
  if (hidden !== null) return [credentialNotStored(input, hidden)];
  const isMissing = proof.length > 0 && proof.every((name) => headers[name] === undefined);
  const other = findOtherProvider(input);
  const isOther = other.some(({ confidence }) => confidence === "likely");
  if (isMissing) return [...other, ...explainMissing(input, proof, isOther)];
  if (reason === "signature_malformed") return [...other, ...explainShape(input, proof)];
  return [...other, ...explainPart(input, reason)];
}

/** Tokens and passwords are secrets, so they are never stored. */
function credentialNotStored({ hook }: DiagnosisInput, place: string): Finding {
  const name = findProvider(hook.provider)?.name ?? "This provider";
  return {
    code: "credential_not_stored",
    sentence:
      `${name} authenticates with a shared secret in ${place}. The value didn't match any of ` +
      "the hook's secrets. It is never stored, so it can't be compared again. Enter the same " +
      "value at the provider and in the hook, then resend the delivery.",
    confidence: "certain",
    fix: null,
  };
}

/** The provider that the headers point to, if it isn't the hook's. */
function findOtherProvider({ request, hook }: DiagnosisInput): readonly Finding[] {
  const suggestion = suggestProvider(request);
  const isOwn =
    suggestion === null ||
    [suggestion, ...suggestion.alternatives].some(({ id }) => id === hook.provider);
  if (isOwn) return [];
  const expected = findProvider(hook.provider)?.name ?? "a custom scheme";
  const { id, name, why, isClear, alternatives } = suggestion;
  const alike = alternatives.slice(0, 3).map((other) => other.name);
  const others = alike.length === 0 ? "" : ` (or ${alike.join(", ")}, which look the same)`;
  return [
    {
      code: "sender_looks_other",
      sentence:
        `This looks like a delivery from ${name}${others}: ` +
        `${why.slice(0, 2).join(", and ")}. The hook expects ${expected}. Set the ` +
        `hook's provider to ${name} and paste its secret, or create another hook for ${name}.`,
      confidence: isClear || alternatives.length > 0 ? "likely" : "possible",
      fix: null,
      suggestedProvider: { id, name },
    },
  ];
}

function explainMissing(
  { request: { headers }, hook }: DiagnosisInput,
  proof: readonly string[],
  isOther: boolean,
): readonly Finding[] {
  const shown = proof.slice(0, 2).map(showHeaderName).join(" or ");
  const byHand = nameTool(headers["user-agent"]?.[0] ?? "");
  if (byHand !== null) {
    return [
      {
        code: "sent_by_hand",
        sentence:
          `The request has no signature and was sent by ${byHand}, so it is probably ` +
          "not a webhook. Send a test event from the provider instead.",
        confidence: "likely",
        fix: null,
      },
    ];
  }
  if (isOther) return [];
  const provider = findProvider(hook.provider);
  const seen = (provider === undefined ? [] : [...provider.eventId, ...provider.eventType])
    .flatMap((source) =>
      source.from === "header" && headers[source.name] !== undefined ? [source.name] : [],
    )
    .map(showHeaderName);
  const proxy = nameProxy(headers);
  const strip =
    proxy === null ? "a proxy drops the header" : `the proxy (${proxy}) drops the header`;
  if (provider !== undefined && seen.length > 0) {
    const sentence =
      `The delivery has ${seen[0]}, so it is from ${provider.name}, but the signature header ` +
      `${shown} is missing. Either no secret is set at ${provider.name}, or ${strip}.`;
    return [{ code: "header_missing", sentence, confidence: "likely", fix: null }];
  }
  const unknown = Object.keys(headers).find(
    (name) => /signature|hmac/.test(name) && !proof.includes(name),
  );
  if (unknown !== undefined) {
    const sentence =
      `${shown} is missing, but the header ` +
      `${JSON.stringify(showHeaderName(unknown).slice(0, 80))} looks like a ` +
      "signature. If the provider uses that header, choose the right provider, or " +
      "set up a custom scheme.";
    return [{ code: "header_missing", sentence, confidence: "likely", fix: null }];
  }
  const sentence =
    `The delivery has no signature: ${shown} is missing. Either it isn't from the ` +
    `hook's provider, or signing isn't enabled there, or ${strip}.`;
  return [{ code: "header_missing", sentence, confidence: "certain", fix: null }];
}

function nameTool(agent: string): string | null {
  return tools.find(([pattern]) => pattern.test(agent))?.[1] ?? null;
}

const tools: readonly (readonly [RegExp, string])[] = [
  [/^curl\//i, "curl"],
  [/^PostmanRuntime\//, "Postman"],
  [/^insomnia\//i, "Insomnia"],
  [/^(?:HTTPie|xh)\//i, "HTTPie"],
  [/^Wget\//i, "Wget"],
  [/^Bruno/i, "Bruno"],
  [/^(?:Paw|RapidAPI|Hoppscotch|Thunder Client)/i, "an API client"],
  [/^Mozilla\/5\.0 .*(?:Gecko\/|AppleWebKit\/)/, "a browser"],
  [/PowerShell\//, "PowerShell"],
  [
    /^(?:kube-probe|ELB-HealthChecker|GoogleHC|UptimeRobot|Pingdom|Better Uptime)/i,
    "an uptime monitor",
  ],
];

/** Names the proxy by the headers that it adds. */
export function nameProxy(headers: DiagnosisInput["request"]["headers"]): string | null {
  if (headers["cf-ray"] !== undefined) return "Cloudflare";
  if (headers["x-amzn-trace-id"] !== undefined) return "an AWS load balancer";
  if (headers["x-vercel-id"] !== undefined) return "Vercel";
  if (headers["fly-request-id"] !== undefined) return "Fly.io";
  if (headers["x-cloud-trace-context"] !== undefined) return "Google Cloud";
  if (headers.via !== undefined || headers["x-forwarded-for"] !== undefined)
    return "according to the Via or X-Forwarded-For header";
  return null;
}

/** Compares the signature's length and characters with what the scheme expects. */
function explainShape(
  { request: { headers }, hook }: DiagnosisInput,
  proof: readonly string[],
): readonly Finding[] {
  const scheme = hook.scheme as Scheme;
  const name = proof.find((header) => headers[header] !== undefined);
  const value = name === undefined ? undefined : headers[name]?.[0];
  if (name === undefined || value === undefined || scheme.kind !== "mac") return [];
  const bare = /[A-Za-z0-9+/_-]{16,}={0,2}$/.exec(value)?.[0] ?? "";
  const digest = readDigest(bare.toLowerCase()) ?? readDigest(bare);
  const wanted = `${scheme.encoding} of ${scheme.hash}`;
  const is =
    digest === null
      ? `${bare.length} characters long, which matches no common signature. It may be truncated, or not a signature`
      : `${digest.encoding} of ${digest.hash}, judging by its length`;
  const sentence =
    `The signature in ${showHeaderName(name)} should be ` +
    `${wanted}, but it is ${is}. Check the hook's provider.`;
  return [{ code: "signature_shape", sentence, confidence: "likely", fix: null }];
}

/** Parts of the signed text that are missing. */
function explainPart(
  { hook, request: { headers } }: DiagnosisInput,
  reason: VerifyFailureReason | null,
): readonly Finding[] {
  if (
    reason !== "timestamp_missing" &&
    reason !== "id_missing" &&
    reason !== "header_missing" &&
    reason !== "value_missing"
  )
    return [];
  const proxy = nameProxy(headers);
  const name = findProvider(hook.provider)?.name ?? "the hook's scheme";
  const sentence =
    `The signature is present, but another header that ${name} signs is missing (the ` +
    `timestamp or the message id). ${proxy === null ? "A proxy" : `The proxy (${proxy})`} ` +
    "may drop it, or the delivery is from another provider that uses the same signature header.";
  return [{ code: "header_missing", sentence, confidence: "likely", fix: null }];
}
