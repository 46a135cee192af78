/** What a secret's looks tell, and what the event tells about which of the sender's secrets signed it. */
import { isCodeScheme } from "#lib/core/verify/code-scheme.ts";
import { findProvider } from "#lib/core/verify/providers.ts";
import type { Finding } from "./diagnosis.ts";
import type { Patient } from "./patient.ts";

export function findSecretClues(patient: Patient): readonly Finding[] {
  const active = patient.secrets.filter(({ expiredAtMs }) => expiredAtMs === null);
  if (active.length === 0) return needsSecret(patient) ? [noSecret(patient)] : [];
  return [...active.slice(0, 1).flatMap(({ text }) => judgeSecret(text, patient)), ...findTestMode(patient)];
}

/** Some senders publish their keys, and nothing is pasted. */
function needsSecret({ hook: { scheme } }: Patient): boolean {
  return !isCodeScheme(scheme) || scheme.takesSecret;
}

function noSecret({ hook }: Patient): Finding {
  const sender = findProvider(hook.provider)?.name ?? "the sender";
  return {
    code: "secret_missing",
    sentence: `The hook has no signing secret, so it refuses everything. Add the secret that ${sender} shows for this hook's URL.`,
    confidence: "certain",
    fix: null,
  };
}

function judgeSecret(text: string, { hook }: Patient): readonly Finding[] {
  const provider = findProvider(hook.provider);
  const found = suspicions.find(({ is }) => is.test(text))?.sentence ?? judgeStart(text, provider);
  const isToken = provider !== undefined && !("signature" in provider.scheme);
  const edges =
    text !== text.trim()
      ? `The hook's secret begins or ends with white space or a line break${isToken ? ", and it is compared to its last character" : ""}. If that is not meant, paste it again without.`
      : null;
  const sentence = found ?? edges;
  return sentence === null ? [] : [{ code: "secret_suspicious", sentence, confidence: "likely", fix: null }];
}

const suspicions: readonly { readonly is: RegExp; readonly sentence: string }[] = [
  {
    is: /[•●∙*]{4,}|^x{6,}$|\.\.\.$|…/i,
    sentence:
      "The hook's secret looks like one that was copied while it was hidden (dots, asterisks or an ellipsis). Let the sender reveal it, then copy it again.",
  },
  {
    is: /^(?:sk|pk|rk)_(?:live|test)_/,
    sentence:
      "The hook's secret is an API key and not a signing secret. The signing secret is shown with the webhook endpoint.",
  },
  {
    is: /^https?:\/\//,
    sentence: "The hook's secret is a URL. Paste the signing secret that the sender shows beside it.",
  },
  {
    is: /^-----BEGIN [A-Z ]*PRIVATE KEY/,
    sentence:
      "The hook's secret is a private key, which should be nowhere but at its owner. Paste what the sender shows for verifying.",
  },
  {
    is: /^ey[A-Za-z0-9_-]+\.ey[A-Za-z0-9_-]+\./,
    sentence: "The hook's secret is an access token (a JWT) and not a signing secret.",
  },
  {
    is: /^\{[\s\S]*\}$/,
    sentence: "The hook's secret is a piece of JSON. Paste the value of the secret alone.",
  },
];

function judgeStart(text: string, provider: ReturnType<typeof findProvider>): string | null {
  const start = provider?.secretStartsWith;
  if (provider === undefined || start === undefined || text.trimStart().startsWith(start)) return null;
  return `Signing secrets of ${provider.name} usually start with "${start}", and the hook's does not. Check that it is the signing secret of this endpoint.`;
}

/** Senders that have test and live apart have a secret for each. */
function findTestMode({ request: { headers, body } }: Patient): readonly Finding[] {
  const mode = headers["x-shopify-test"]?.[0] === "true" ? "test" : readMode(body);
  if (mode === null) return [];
  const other = mode === "test" ? "live" : "test";
  return [
    {
      code: "test_mode",
      sentence: `By what it says this is a ${mode} event. Test and live mode have secrets of their own: check that the hook's is the one of the ${mode} endpoint and not of the ${other} one.`,
      confidence: "possible",
      fix: null,
    },
  ];
}

/** `livemode: false`, `environment: "sandbox"`, near the start or end of the body: large ones are not parsed for it. */
function readMode(body: Uint8Array): "test" | "live" | null {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const text =
    bytes.length > 16_384
      ? bytes.subarray(0, 8192).toString("latin1") + bytes.subarray(-8192).toString("latin1")
      : bytes.toString("latin1");
  const found = /"(?:livemode|live_mode|live|is_live|production)"\s*:\s*"?(true|false)\b/.exec(text)?.[1];
  if (found !== undefined) return found === "true" ? "live" : "test";
  const tested = /"(?:test|test_mode|testmode|is_test|sandbox)"\s*:\s*"?(true|1)\b/.test(text);
  const named = /"(?:environment|env|mode)"\s*:\s*"(?:sandbox|test|staging|development)/i.test(text);
  return tested || named ? "test" : null;
}
