import type { Settings } from "#lib/core/verify/scheme/code-scheme.ts";
import type { Scheme } from "#lib/core/verify/scheme/scheme.ts";
import { computeSignature, formatTimestamp, signRequest } from "#lib/core/verify/sign.ts";
import type { MacVerification } from "#lib/schema/receive/verification.ts";
import type { Sample } from "./build-sample.ts";
import { Draft } from "./draft.ts";

/** A signed request, ready to send. */
export type SignedSample = {
  readonly method: string;
  /** The catch URL, with the parameters that the scheme adds. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

type SignSampleOptions = {
  readonly method: string;
  /** The public catch URL, without a query. */
  readonly url: string;
  readonly nowMs: number;
  /** The hook's settings, without the secret. */
  readonly settings?: Settings;
  /** The id for schemes that sign a message id or a nonce. */
  readonly id: string;
};

/** True if Catchment can sign like the provider. With a public key it can't. */
export function canSign(scheme: Scheme): boolean {
  return scheme.kind === "code" ? scheme.keyPair === undefined : scheme.kind !== "publicKey";
}

/**
 * Adds the proof where the scheme expects it: in headers, the URL, or the body. Null if only the
 * provider can make it, or if a custom scheme requires something that can't be made up.
 */
export function signSample(
  scheme: Scheme,
  secret: string,
  sample: Sample,
  options: SignSampleOptions,
): SignedSample | null {
  const wantsForm = "signed" in scheme && scheme.signed.template.includes("{form}");
  const draft = new Draft(sample, options.url, wantsForm);
  try {
    const proof = prove(scheme, secret, draft, options);
    return proof === null ? null : finish(draft, options.method, proof);
  } catch {
    // The signer throws if a scheme can't be signed like this. With custom schemes that is
    // expected.
    return null;
  }
}

/** Like `signSample` without proof, for a hook without verification. */
export function finishSample(
  sample: Sample,
  { method, url }: Pick<SignSampleOptions, "method" | "url">,
): SignedSample {
  return finish(new Draft(sample, url, false), method, { headers: {} });
}

/** The headers, and every other place where the scheme puts its proof. */
type Proof = Pick<SignedSample, "headers"> & Partial<Pick<SignedSample, "url" | "body">>;

function prove(
  scheme: Scheme,
  secret: string,
  draft: Draft,
  options: SignSampleOptions,
): Proof | null {
  if (!canSign(scheme)) return null;
  const { method, nowMs: timestampMs, id, settings = {} } = options;
  const body = draft.body();
  if (scheme.kind === "code")
    return scheme.sign({ secret, settings, body, timestampMs, id, url: draft.url.href, method });
  if (scheme.kind === "mac") return proveByMac(scheme, secret, draft, options);
  if (scheme.kind === "token" && scheme.source.from !== "header") {
    draft.put(scheme.source, (scheme.prefix ?? "") + secret);
    return { headers: {} };
  }
  return { headers: signRequest(scheme, secret, { body, timestampMs }) };
}

function proveByMac(
  scheme: MacVerification,
  secret: string,
  draft: Draft,
  { nowMs, id, method }: SignSampleOptions,
): Proof | null {
  const { timestamp, signed, requiredHeaders = [] } = scheme;
  const headers: Record<string, string> = { ...draft.headers };
  for (const { name, value } of requiredHeaders) headers[name] ??= value ?? id;
  for (const source of Object.values(signed.values ?? {})) {
    if (source.from === "header") headers[source.name] ??= id;
    else draft.putIfMissing(source, id);
  }
  if (timestamp !== undefined)
    draft.putIfMissing(timestamp.source, formatTimestamp(nowMs, timestamp.unit));

  const input = {
    body: draft.body(),
    timestampMs: nowMs,
    id,
    url: draft.url.href,
    method,
    headers,
  };
  const { format, sources } = scheme.signature;
  const [place] = sources;
  if (place === undefined || place.from === "header")
    return { headers: { ...headers, ...signRequest(scheme, secret, input) } };
  if (format.type === "pairs") return null;
  const signature = computeSignature(scheme, secret, input);
  // The proof is in the body only if the body isn't signed, and in the URL only if that isn't
  // signed.
  draft.put(place, format.type === "prefixed" ? format.prefix + signature : signature);
  return { headers: {} };
}

function finish(draft: Draft, method: string, proof: Proof): SignedSample {
  const headers = { "content-type": draft.contentType(), ...draft.headers, ...proof.headers };
  const { url = draft.url.href, body = draft.body() } = proof;
  return { method, url, headers, body };
}
