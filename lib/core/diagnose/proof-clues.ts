/** What the headers tell where the proof is missing, or looks like another's. */

import { listProofHeaders } from "#lib/core/recognise/proof-headers.ts";
import { suggestSender } from "#lib/core/recognise/suggest-sender.ts";
import type { VerifyFailureReason } from "#lib/core/verify/failure.ts";
import { findProvider } from "#lib/core/verify/providers.ts";
import type { Scheme } from "#lib/core/verify/scheme.ts";
import type { Finding } from "./diagnosis.ts";
import { findHiddenCredential } from "./hidden-credential.ts";
import { showHeaderName } from "./lever.ts";
import type { Patient } from "./patient.ts";
import { readDigest } from "./signature-shapes.ts";

export function findProofClues(patient: Patient, reason: VerifyFailureReason | null): readonly Finding[] {
  const { headers } = patient.request;
  const { provider, scheme } = patient.hook;
  const proof = listProofHeaders({ id: provider, scheme });
  const hidden = findHiddenCredential(patient);
  if (hidden !== null) return [credentialNotStored(patient, hidden)];
  const isMissing = proof.length > 0 && proof.every((name) => headers[name] === undefined);
  const sender = findOtherSender(patient);
  if (isMissing) return [...sender, ...explainMissing(patient, proof, sender.length > 0)];
  if (reason === "signature_malformed") return [...sender, ...explainShape(patient, proof)];
  return [...sender, ...explainPart(patient, reason)];
}

/** Tokens and passwords are the secret itself, so they are never kept. */
function credentialNotStored({ hook }: Patient, place: string): Finding {
  const name = findProvider(hook.provider)?.name ?? "This sender";
  return {
    code: "credential_not_stored",
    sentence: `${name} proves itself by a shared value in ${place}. It came, and was none of the hook's secrets. Such a value is a secret itself, so it is never stored, and what came can't be looked at again: enter the same value at the sender and in the hook, and let the sender send it again.`,
    confidence: "certain",
    fix: null,
  };
}

/** Another sender than the hook's, where the headers say so. */
function findOtherSender({ request, hook }: Patient): readonly Finding[] {
  const suggestion = suggestSender(request);
  const isOwn =
    suggestion === null || [suggestion, ...suggestion.alternatives].some(({ id }) => id === hook.provider);
  if (isOwn) return [];
  const expected = findProvider(hook.provider)?.name ?? "a scheme of its own";
  const { id, name, why, isClear, alternatives } = suggestion;
  const others = isClear
    ? ""
    : ` (or ${alternatives
        .slice(0, 3)
        .map((other) => other.name)
        .join(", ")}, which look alike)`;
  return [
    {
      code: "sender_looks_other",
      sentence: `This looks like a delivery of ${name}${others}: ${why.slice(0, 2).join(", and ")}. The hook expects ${expected}. Set the hook's provider to ${name} and paste its secret, or give ${name} the URL of another hook.`,
      confidence: "likely",
      fix: null,
      suggestedProvider: { id, name },
    },
  ];
}

function explainMissing(
  { request: { headers }, hook }: Patient,
  proof: readonly string[],
  isOther: boolean,
): readonly Finding[] {
  const shown = proof.slice(0, 2).map(showHeaderName).join(" or ");
  const byHand = nameTool(headers["user-agent"]?.[0] ?? "");
  if (byHand !== null) {
    return [
      {
        code: "sent_by_hand",
        sentence: `It was sent by ${byHand} and carries no signature: most likely somebody tried the catch URL by hand. Such a request is not signed; let the sender itself send a test event.`,
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
    proxy === null
      ? "a proxy in between drops the header"
      : `the proxy in between (${proxy}) drops the header`;
  if (provider !== undefined && seen.length > 0) {
    const sentence = `It carries ${seen[0]}, so it is from ${provider.name}, but ${shown} with the signature is missing: either no secret is set at ${provider.name} (then it does not sign), or ${strip}.`;
    return [{ code: "header_missing", sentence, confidence: "likely", fix: null }];
  }
  const stranger = Object.keys(headers).find((name) => /signature|hmac/.test(name) && !proof.includes(name));
  if (stranger !== undefined) {
    const sentence = `${shown} is missing, but there is a header ${JSON.stringify(showHeaderName(stranger).slice(0, 80))}, which looks like a signature. If that is how the sender signs, choose its provider, or spell its scheme out (provider Custom).`;
    return [{ code: "header_missing", sentence, confidence: "likely", fix: null }];
  }
  const sentence = `Nothing in it is a signature: ${shown} is missing. Either it is not from the sender that the hook is for, or signing is not switched on there, or ${strip}.`;
  return [{ code: "header_missing", sentence, confidence: "possible", fix: null }];
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
    "a monitor that watches whether the URL answers",
  ],
];

/** By the headers that proxies add. */
function nameProxy(headers: Patient["request"]["headers"]): string | null {
  if (headers["cf-ray"] !== undefined) return "Cloudflare";
  if (headers["x-amzn-trace-id"] !== undefined) return "a load balancer of AWS";
  if (headers["x-vercel-id"] !== undefined) return "Vercel";
  if (headers["fly-request-id"] !== undefined) return "Fly.io";
  if (headers["x-cloud-trace-context"] !== undefined) return "Google Cloud";
  if (headers.via !== undefined || headers["x-forwarded-for"] !== undefined)
    return "its headers Via and X-Forwarded-For show one";
  return null;
}

/** Of what length and in which letters the signature is, against what the scheme has. */
function explainShape({ request: { headers }, hook }: Patient, proof: readonly string[]): readonly Finding[] {
  const scheme = hook.scheme as Scheme;
  const name = proof.find((header) => headers[header] !== undefined);
  const value = name === undefined ? undefined : headers[name]?.[0];
  if (name === undefined || value === undefined || scheme.kind !== "mac") return [];
  const bare = /[A-Za-z0-9+/_-]{16,}={0,2}$/.exec(value)?.[0] ?? "";
  const digest = readDigest(bare.toLowerCase()) ?? readDigest(bare);
  const wanted = `${scheme.encoding} of ${scheme.hash}`;
  const is =
    digest === null
      ? `of ${bare.length} characters, which no usual signature has: it may have been cut off, or it is something else`
      : `${digest.encoding} of ${digest.hash}, by its length`;
  const sentence = `The signature in ${showHeaderName(name)} does not have the form of this scheme, which is ${wanted}. It is ${is}. Check that the hook's provider is the right one.`;
  return [{ code: "signature_shape", sentence, confidence: "likely", fix: null }];
}

/** What belongs to the signed text and is not there. */
function explainPart(
  { hook, request: { headers } }: Patient,
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
  const sentence = `The signature is there, but another header that ${name} signs is missing (the time or the id of the message). ${proxy === null ? "A proxy in between" : `The proxy in between (${proxy})`} may drop it; or it is from another sender, which uses the same header for its signature.`;
  return [{ code: "header_missing", sentence, confidence: "likely", fix: null }];
}
