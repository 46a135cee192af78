import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import type { Provider } from "#lib/core/providers/shapes/provider.ts";
import type { VerifyRequest } from "#lib/core/verify/scheme/request-view.ts";
import type { Scheme } from "#lib/core/verify/scheme/scheme.ts";
import { flipBit } from "#lib/core/verify/testing/test-request.ts";
import { type SampleSecret, sampleSecret } from "#lib/core/verify/testing/test-sample.ts";

export type Wire = Pick<VerifyRequest, "headers" | "body" | "query">;

/** Sent as well, but not part of the proof. */
const unread = new Set(["content-type", "x-amz-sns-message-type", "idempotency-key"]);

/** The same request with one bit flipped, in each possible place. */
export function* flipBits(
  scheme: Scheme,
  request: Wire,
  secret: SampleSecret,
): Generator<[string, Wire]> {
  // After the last "=" of a form or inside the text of the JSON: both stay readable.
  const bit = (request.body.length - 4) * 8;
  if (isBodySigned(scheme)) yield ["the body", { ...request, body: flipBit(request.body, bit) }];
  for (const [name, values] of Object.entries(request.headers)) {
    if (unread.has(name)) continue;
    const value = Buffer.from(values?.[0] ?? "", "latin1");
    const flipped = Buffer.from(flipBit(value, value.length * 8 - 7)).toString("latin1");
    yield [name, { ...request, headers: { ...request.headers, [name]: [flipped] } }];
  }
  if (scheme.kind === "token" && scheme.source.from !== "header") {
    const wrong = `${secret.signing.slice(0, -1)}_`;
    const query = request.query.replace(
      encodeURIComponent(secret.signing),
      encodeURIComponent(wrong),
    );
    const body = Buffer.from(
      Buffer.from(request.body).toString("utf8").replace(secret.signing, wrong),
    );
    yield ["the token", { ...request, query, body }];
  }
}

/** A secret to paste, and a different one to sign with. */
export function pickOtherSecret({ id, scheme }: Provider): SampleSecret {
  const { pasted, signing } = sampleSecret(scheme, id);
  if (pasted === signing) return { pasted: sampleSecret(scheme, `${id} other`).pasted, signing };
  const makeKey = {
    ed25519: () => generateKeyPairSync("ed25519"),
    ec: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
    rsa: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
  };
  const type = createPrivateKey(signing).asymmetricKeyType as keyof typeof makeKey;
  const other = makeKey[type]().privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  // Certificates may follow the key. They stay the provider's.
  return {
    pasted,
    signing: signing.replace(/^-----BEGIN PRIVATE.*?END PRIVATE KEY-----\n/s, other),
  };
}

function isBodySigned(scheme: Scheme): boolean {
  if (scheme.kind === "code") return scheme.bodyNotSigned !== true;
  return "signed" in scheme && scheme.signed.bodyNotSigned !== true;
}
