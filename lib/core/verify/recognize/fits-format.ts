/**
 * Checks whether a delivery has everything that a scheme reads, in the right format. Doesn't verify
 * it.
 */
import type { Settings } from "#lib/core/verify/scheme/code-scheme.ts";
import type { VerifyRequest } from "#lib/core/verify/scheme/request-view.ts";
import type { Scheme } from "#lib/core/verify/scheme/scheme.ts";
import { prepareVerifier, type Verifier } from "#lib/core/verify/verify.ts";

/**
 * Runs the verifier with a made-up secret: if it gets as far as comparing, the format is right.
 * There is no made-up key for public keys other than ed25519 (where any 32 bytes are one), so any
 * value fits.
 */
export function fitsFormat(
  scheme: Scheme,
  { headers, body }: Pick<VerifyRequest, "headers" | "body">,
): boolean {
  if (scheme.kind === "publicKey" && scheme.algorithm !== "ed25519") return true;
  const verifier =
    verifiers.get(scheme) ??
    prepareVerifier({ scheme, secrets: [makeUpSecret(scheme)], settings: makeUpSettings(scheme) });
  verifiers.set(scheme, verifier);
  // A few bytes are enough, since hashing ten megabytes wouldn't tell more.
  const small = body.byteLength > 65_536 ? body.subarray(0, 16) : body;
  const verdict = verifier({ method: "POST", url: "", query: "", headers, body: small }, 0);
  return verdict.outcome !== "failed" || !ofForm.has(verdict.reason);
}

const verifiers = new WeakMap<Scheme, Verifier>();

/** Failures that happen before anything is compared. */
const ofForm: ReadonlySet<string> = new Set([
  "signature_missing",
  "signature_malformed",
  "timestamp_missing",
  "timestamp_malformed",
  "id_missing",
  "id_malformed",
  "value_missing",
  "header_missing",
  "header_unexpected",
  "token_missing",
  "token_malformed",
  "unknown_scheme",
]);

function makeUpSettings(scheme: Scheme): Settings {
  const settings = scheme.kind === "code" ? (scheme.settings ?? []) : [];
  return Object.fromEntries(settings.map(({ name, example }) => [name, example]));
}

function makeUpSecret(scheme: Scheme): string {
  if (scheme.kind === "publicKey") {
    const { decode, stripPrefix = "" } = scheme.secret;
    return stripPrefix + Buffer.alloc(32, 1).toString(decode);
  }
  if (scheme.kind !== "mac") return "nobody:nobody";
  const { decode, stripPrefix = "" } = scheme.secret;
  return stripPrefix + Buffer.from("nobody").toString(decode);
}
