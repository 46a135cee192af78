/** Clues from the form of the secret, and from the event about which secret signed it. */

import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { isCodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import type { Scheme } from "#lib/core/verify/scheme/scheme.ts";
import { kindOfSecret } from "#lib/core/verify/scheme/secret.ts";
import { findSecretSlips } from "#lib/core/verify/secret/find-secret-slips.ts";
import type { Finding } from "./diagnosis.ts";
import type { DiagnosisInput } from "./diagnosis-input.ts";

export function findSecretClues(input: DiagnosisInput): readonly Finding[] {
  const active = input.secrets.filter(({ expiredAtMs }) => expiredAtMs === null);
  if (active.length === 0) return needsSecret(input) ? [noSecret(input)] : [];
  return [
    ...active.slice(0, 1).flatMap(({ text }) => checkSecretText(text, input)),
    ...findTestMode(input),
  ];
}

/** False for providers that publish their keys. */
function needsSecret({ hook: { scheme } }: DiagnosisInput): boolean {
  return !isCodeScheme(scheme) || scheme.takesSecret;
}

function noSecret({ hook }: DiagnosisInput): Finding {
  const name = findProvider(hook.provider)?.name ?? "the provider";
  return {
    code: "secret_missing",
    sentence:
      "The hook has no signing secret, so it rejects everything. Add " +
      `the secret that ${name} shows for this hook's URL.`,
    confidence: "certain",
    fix: null,
  };
}

function checkSecretText(text: string, { hook }: DiagnosisInput): readonly Finding[] {
  const provider = findProvider(hook.provider);
  const kind = "kind" in Object(hook.scheme) ? kindOfSecret(hook.scheme as Scheme) : "key";
  const [copied] = findSecretSlips(text, { kind, startsWith: provider?.secretStartsWith });
  const foreign = provider?.foreignSecret;
  const slip = foreign?.is.test(text.trim()) === true ? foreign : copied;
  const sentence =
    slip === undefined
      ? checkSecretStart(text, provider)
      : `The hook's secret ${slip.words}. ${slip.advice}`;
  return sentence === null
    ? []
    : [{ code: "secret_suspicious", sentence, confidence: "likely", fix: null }];
}

function checkSecretStart(text: string, provider: ReturnType<typeof findProvider>): string | null {
  const start = provider?.secretStartsWith;
  if (provider === undefined || start === undefined || text.trimStart().startsWith(start))
    return null;
  return (
    `${provider.name} signing secrets usually start with "${start}", but the hook's ` +
    "doesn't. Check that it is the signing secret of this endpoint."
  );
}

/** Providers with a test mode have a separate secret for it. */
function findTestMode({ request: { headers, body } }: DiagnosisInput): readonly Finding[] {
  const mode = headers["x-shopify-test"]?.[0] === "true" ? "test" : readMode(body);
  if (mode === null) return [];
  const other = mode === "test" ? "live" : "test";
  return [
    {
      code: "test_mode",
      sentence:
        `This looks like a ${mode} event. Test and live mode have separate secrets. Check that ` +
        `the hook has the secret of the ${mode} endpoint, not the ${other} one.`,
      confidence: "possible",
      fix: null,
    },
  ];
}

/**
 * `livemode: false`, `environment: "sandbox"`, near the start or end of the body. Large bodies are
 * not parsed.
 */
function readMode(body: Uint8Array): "test" | "live" | null {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const text =
    bytes.length > 16_384
      ? bytes.subarray(0, 8192).toString("latin1") + bytes.subarray(-8192).toString("latin1")
      : bytes.toString("latin1");
  const found = /"(?:livemode|live_mode|live|is_live|production)"\s*:\s*"?(true|false)\b/.exec(
    text,
  )?.[1];
  if (found !== undefined) return found === "true" ? "live" : "test";
  const tested = /"(?:test|test_mode|testmode|is_test|sandbox)"\s*:\s*"?(true|1)\b/.test(text);
  const named = /"(?:environment|env|mode)"\s*:\s*"(?:sandbox|test|staging|development)/i.test(
    text,
  );
  return tested || named ? "test" : null;
}
