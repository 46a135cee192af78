import type { Scheme } from "#lib/core/verify/scheme.ts";
import { computeSignature, formatTimestamp, signRequest } from "#lib/core/verify/sign.ts";
import type { MacVerification } from "#lib/schema/verification.ts";
import type { Sample } from "./build-sample.ts";
import { Draft } from "./draft.ts";

/** A request as its sender would make it, ready to go out. */
export type SignedSample = {
  readonly method: "POST";
  /** The catch URL, with the parameters that the scheme wants in it. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

export type SignSampleOptions = {
  /** The public catch URL, without a query. */
  readonly url: string;
  readonly nowMs: number;
  /** For schemes that sign a message id or a nonce. */
  readonly id: string;
};

/** Whether we can do what the sender does. A public key only verifies: the other half is the sender's. */
export function canSign(scheme: Scheme): boolean {
  return scheme.kind !== "publicKey";
}

/**
 * Adds what proves the sender, wherever the scheme has it: in headers, the URL or the body. Null where nobody but the
 * sender can, or where a scheme that was spelled out by hand asks for what can't be made up.
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
    const headers = prove(scheme, secret, draft, options);
    return headers === null ? null : finish(draft, headers);
  } catch {
    // The signer throws where a scheme can't be signed that way; what a user wrote down is no surprise.
    return null;
  }
}

/** The same without proof, for a hook that asks for none. */
export function finishSample(sample: Sample, url: string): SignedSample {
  return finish(new Draft(sample, url, false), {});
}

type Proof = Readonly<Record<string, string>>;

function prove(scheme: Scheme, secret: string, draft: Draft, options: SignSampleOptions): Proof | null {
  if (scheme.kind === "publicKey") return null;
  if (scheme.kind === "mac") return proveByMac(scheme, secret, draft, options);
  if (scheme.kind === "token" && scheme.source.from !== "header") {
    draft.put(scheme.source, (scheme.prefix ?? "") + secret);
    return {};
  }
  return signRequest(scheme, secret, { body: draft.body(), timestampMs: options.nowMs });
}

function proveByMac(
  scheme: MacVerification,
  secret: string,
  draft: Draft,
  { nowMs, id }: SignSampleOptions,
): Proof | null {
  const { timestamp, signed, requiredHeaders = [] } = scheme;
  const headers: Record<string, string> = { ...draft.headers };
  for (const { name, value } of requiredHeaders) headers[name] ??= value ?? id;
  for (const source of Object.values(signed.values ?? {})) {
    if (source.from === "header") headers[source.name] ??= id;
    else draft.putIfMissing(source, id);
  }
  if (timestamp !== undefined) draft.putIfMissing(timestamp.source, formatTimestamp(nowMs, timestamp.unit));

  const input = { body: draft.body(), timestampMs: nowMs, id, url: draft.url.href, method: "POST", headers };
  const { format, sources } = scheme.signature;
  const [place] = sources;
  if (place === undefined || place.from === "header")
    return { ...headers, ...signRequest(scheme, secret, input) };
  if (format.type === "pairs") return null;
  const signature = computeSignature(scheme, secret, input);
  // In the body it stands only where the body itself is not signed, and in the URL where that is not.
  draft.put(place, format.type === "prefixed" ? format.prefix + signature : signature);
  return {};
}

function finish(draft: Draft, proof: Proof): SignedSample {
  const headers = { "content-type": draft.contentType(), ...draft.headers, ...proof };
  return { method: "POST", url: draft.url.href, headers, body: draft.body() };
}
