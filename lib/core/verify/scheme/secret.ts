/** Checks pasted secrets. Never trims them, since that would change the key. */
import { findSecretSlips, type SecretSlip } from "#lib/core/verify/secret/find-secret-slips.ts";
import { decodeSecret } from "./decode-secret.ts";
import { takesSecret } from "./missing-parts.ts";
import { toPublicKey } from "./public-key.ts";
import { compileScheme, type Scheme } from "./scheme.ts";

export type SecretCheck =
  | { readonly ok: true; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly message: string };

type SlipWords = Pick<SecretSlip, "words" | "advice">;

type SecretOwner = {
  readonly name: string;
  readonly scheme: Scheme;
  readonly secretStartsWith?: string;
  readonly foreignSecret?: SlipWords & { readonly is: RegExp };
};

/** Rejects a secret that can never verify a delivery, and warns about one that probably won't. */
export function checkSecret(owner: SecretOwner | Scheme, secret: string): SecretCheck {
  const { scheme, secretStartsWith, foreignSecret, name }: SecretOwner =
    "scheme" in owner ? owner : { scheme: owner, name: "the provider" };
  if (foreignSecret?.is.test(secret.trim()) === true)
    return { ok: false, message: describeSlip(foreignSecret) };
  const slips = takesSecret(scheme)
    ? findSecretSlips(secret, { kind: kindOfSecret(scheme), startsWith: secretStartsWith })
    : [];
  const refused = slips.find(({ isRejected }) => isRejected);
  if (refused !== undefined) return { ok: false, message: describeSlip(refused) };
  const problem = findSecretProblem(scheme, secret);
  if (problem !== null) {
    const reasons = slips.filter(({ id }) => id !== "space" && id !== "lines").map(describeSlip);
    return { ok: false, message: [problem, ...reasons].join(" ") };
  }
  const warnings = slips.map((slip) => `${describeSlip(slip)} It is saved exactly as pasted.`);
  if (
    warnings.length === 0 &&
    secretStartsWith !== undefined &&
    !secret.startsWith(secretStartsWith)
  ) {
    warnings.push(
      `Signing secrets from ${name} usually start with "${secretStartsWith}". ` +
        "Check that this is the signing secret, not an API key.",
    );
  }
  return { ok: true, warnings };
}

export function kindOfSecret(scheme: Scheme): "key" | "publicKey" | "password" {
  if (scheme.kind === "publicKey") return "publicKey";
  return scheme.kind === "basic" ? "password" : "key";
}

function describeSlip({ words, advice }: SlipWords): string {
  return `The secret ${words}. ${advice}`;
}

/** A message if the secret can't be used with the scheme, else null. Never contains the secret. */
export function findSecretProblem(scheme: Scheme, secret: string): string | null {
  if (scheme.kind === "code" && !scheme.takesSecret)
    return "This provider publishes its keys, so the hook needs no secret. Remove the secret.";
  if (scheme.kind !== "code" && compileScheme(scheme) === null)
    return "The hook's verification is invalid. Choose its provider again.";
  if (secret === "")
    return "The secret is empty. Paste the signing secret that the provider shows.";
  if (secret.trim() === "")
    return "The secret contains only white space. Paste the signing secret that the provider shows.";
  if (scheme.kind === "code") return scheme.findSecretProblem(secret);
  if (scheme.kind === "basic") return findBasicProblem(secret);
  if (scheme.kind === "publicKey") {
    if (toPublicKey(scheme, secret) !== null) return null;
    return `This is not a public key for ${scheme.algorithm}. Copy the complete key from the provider.`;
  }
  if (scheme.kind !== "mac" || decodeSecret(scheme, secret) !== null) return null;

  const { decode, stripPrefix, prefixRequired } = scheme.secret;
  if (stripPrefix !== undefined && prefixRequired === true && !secret.startsWith(stripPrefix)) {
    return `The secret must start with "${stripPrefix}". Copy the complete secret, without leading white space.`;
  }
  if (/\s/.test(secret))
    return `The secret contains white space, so it is not ${decode}. Remove the white space.`;
  const after = stripPrefix === undefined ? "" : ` after "${stripPrefix}"`;
  return `The secret is not ${decode}${after}. Copy the complete secret from the provider.`;
}

/** RFC 7617: the username ends at the first colon. */
function findBasicProblem(secret: string): string | null {
  const colon = secret.indexOf(":");
  if (colon === -1)
    return 'For basic authentication, the secret is "user:password", separated by a colon.';
  if (secret.replace(":", "").trim() === "") return "Username and password are both empty.";
  return null;
}
