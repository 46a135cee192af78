import { sign, verify } from "node:crypto";
import { sampleKeyId } from "#lib/core/verify/jwt/jwt-scheme.ts";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { decodeCanonical } from "#lib/core/verify/scheme/encoding.ts";
import { fail } from "#lib/core/verify/scheme/failure.ts";
import { findKeys, isKeyList } from "#lib/core/verify/scheme/find-keys.ts";
import { parseJsonObject, readHeader } from "#lib/core/verify/scheme/request-view.ts";
import type { KeySource } from "#lib/core/verify/scheme/signing-key.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const header = "fireblocks-webhook-signature";

const subject = `the header ${header}`;

const hosts: Readonly<Record<string, string>> = {
  us: "keys",
  eu: "eu-keys",
  eu2: "eu2-keys",
  sandbox: "sandbox-keys",
};

function keysOf(environment: string | undefined, keyId: string): KeySource {
  const host = hosts[environment ?? "us"] ?? "keys";
  return { format: "jwks", url: `https://${host}.fireblocks.io/.well-known/jwks.json`, keyId };
}

type Token = { readonly head: string; readonly keyId: string; readonly signature: Buffer };

/** A JWS without its payload (RFC 7515, appendix F). The algorithm is fixed. */
function readToken(text: string): Token | null {
  const [, head = "", tail = ""] = /^([\w-]{1,1024})\.\.([\w-]{1,1024})$/.exec(text) ?? [];
  const json = decodeCanonical(head, "base64url");
  const signature = decodeCanonical(tail, "base64url");
  const { alg, kid, crit } = (json === null ? null : parseJsonObject(json)) ?? {};
  if (alg !== "RS512" || typeof kid !== "string" || kid === "" || crit !== undefined) return null;
  return signature === null ? null : { head, keyId: kid, signature };
}

function toSignedText(head: string, body: Uint8Array): Buffer {
  return Buffer.from(`${head}.${Buffer.from(body).toString("base64url")}`, "latin1");
}

const scheme: CodeScheme = {
  kind: "code",
  proof:
    "JSON Web Signature, RS512, of `{body}` by Fireblocks' own key, in the header fireblocks-webhook-signature",
  takesSecret: false,
  proofHeaders: [header],
  keyPair: { algorithm: "rsa-sha512", isPublished: true },
  settings: [
    {
      name: "environment",
      label: "Environment",
      help: "Where your workspace is: us, eu, eu2, or sandbox.",
      example: "us",
      pattern: /^(?:us|eu|eu2|sandbox)$/,
      fallback: "us",
    },
  ],
  findSecretProblem: () => null,
  prepare:
    ({ settings }) =>
    ({ headers, body }, nowMs, keys) => {
      const reading = readHeader(headers, header);
      if (reading.found === "none") return fail("signature_missing", subject);
      if (reading.found === "many") return fail("header_repeated", subject);
      const token = readToken(reading.value);
      if (token === null) return fail("signature_malformed", subject);
      const found = findKeys(keysOf(settings.environment, token.keyId), keys, nowMs, subject);
      if (!isKeyList(found)) return found;
      const text = toSignedText(token.head, body);
      const isSigned = found.some(
        (key) => key.asymmetricKeyType === "rsa" && verify("sha512", text, key, token.signature),
      );
      return isSigned ? null : fail("signature_mismatch", subject);
    },
  sign: ({ secret, body, url }) => {
    const head = Buffer.from(JSON.stringify({ alg: "RS512", kid: sampleKeyId })).toString(
      "base64url",
    );
    const signature = sign("sha512", toSignedText(head, body), secret).toString("base64url");
    return { headers: { [header]: `${head}..${signature}` }, body, url };
  },
};

/** All customers share the keys, so only the workspace in the body tells whose event it is. */
export const fireblocks: Provider = {
  id: "fireblocks",
  name: "Fireblocks",
  scheme,
  eventId: [inBody("id")],
  identity: {
    why: "The body's id is that of the notification; resourceId is the transaction's.",
    source: "https://developers.fireblocks.com/reference/webhook-notification-structure",
  },
  eventType: [inBody("eventType")],
  secretHelp: "None: Fireblocks publishes its keys. Choose your environment instead.",
  whereToPaste: "Console → Developer Center → Webhooks → Create webhook: paste the catch URL.",
  docsUrl: "https://developers.fireblocks.com/reference/validating-webhooks",
  proof: { package: "jose", describedBy: "provider" },
};
