/** What becomes of a pasted secret. Nothing is trimmed, ever: a trim would change the key. */
import { decodeSecret } from "./decode-secret.ts";
import { toPublicKey } from "./public-key.ts";
import { compileScheme, type Scheme } from "./scheme.ts";

export type SecretCheck =
  | { readonly ok: true; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** What `checkSecret` needs of a catalogue entry; a bare scheme will do for a custom one. */
type SecretOwner = { readonly name: string; readonly scheme: Scheme; readonly secretStartsWith?: string };

/** For saving a secret: refuses what could never verify anything, and warns of what probably won't. */
export function checkSecret(owner: SecretOwner | Scheme, secret: string): SecretCheck {
  const { scheme, secretStartsWith, name } =
    "scheme" in owner ? owner : { scheme: owner, secretStartsWith: undefined, name: "the sender" };
  const problem = findSecretProblem(scheme, secret);
  if (problem !== null) return { ok: false, message: problem };

  const warnings: string[] = [];
  if (secret !== secret.trim()) {
    warnings.push(
      "The secret begins or ends with white space or a line break. It is kept exactly as pasted; if that is not meant, paste it again without.",
    );
  }
  if (secretStartsWith !== undefined && !secret.trimStart().startsWith(secretStartsWith)) {
    warnings.push(
      `Signing secrets of ${name} usually start with "${secretStartsWith}". Check that this is the signing secret and not an API key.`,
    );
  }
  return { ok: true, warnings };
}

/** The sentence to show when a secret can't be used with a scheme, else null. Never repeats the secret. */
export function findSecretProblem(scheme: Scheme, secret: string): string | null {
  if (scheme.kind === "code" && !scheme.takesSecret)
    return "This sender shares no secret: it publishes its keys, and the hook's settings say the rest. Leave the secret out.";
  if (scheme.kind !== "code" && compileScheme(scheme) === null)
    return "The verification of this hook is not valid; choose its provider again.";
  if (secret === "") return "The secret is empty. Paste the signing secret that the sender shows.";
  if (secret.trim() === "")
    return "The secret is only white space. Paste the signing secret that the sender shows.";
  if (scheme.kind === "code") return scheme.findSecretProblem(secret);
  if (scheme.kind === "basic") return findBasicProblem(secret);
  if (scheme.kind === "publicKey") {
    if (toPublicKey(scheme, secret) !== null) return null;
    return `This is not a public key for ${scheme.algorithm}. Copy the whole of it from the sender, to its last character.`;
  }
  if (scheme.kind !== "mac" || decodeSecret(scheme, secret) !== null) return null;

  const { decode, stripPrefix, prefixRequired } = scheme.secret;
  if (stripPrefix !== undefined && prefixRequired === true && !secret.startsWith(stripPrefix)) {
    return `The secret must start with "${stripPrefix}". Copy the whole of it, without white space in front.`;
  }
  if (/\s/.test(secret))
    return `The secret holds white space, so it is not ${decode}. Paste it again without.`;
  const after = stripPrefix === undefined ? "" : ` after "${stripPrefix}"`;
  return `The secret is not ${decode}${after}. Copy the whole of it from the sender, to its last character.`;
}

/** RFC 7617: the user name ends at the first colon. */
function findBasicProblem(secret: string): string | null {
  const colon = secret.indexOf(":");
  if (colon === -1)
    return 'For basic authentication the secret is "user:password", with a colon between the two.';
  if (secret.replace(":", "").trim() === "") return "User and password are both empty.";
  return null;
}
