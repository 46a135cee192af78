import { expect, test } from "vitest";
import { verificationSchema } from "#lib/schema/receive/verification.ts";
import { exampleHeaders } from "./example-headers.ts";
import { toSchemeDraft } from "./read-scheme-draft.ts";
import { type HandshakeDraft, newScheme, type SchemeDraft } from "./scheme-draft.ts";
import { toVerification } from "./to-verification.ts";

const stripeLike: SchemeDraft = {
  ...newScheme,
  header: "stripe-signature",
  format: "pairs",
  template: "{timestamp}.{body}",
  time: "part",
  timeName: "t",
};
const asked: HandshakeDraft = { ...newScheme.handshake, isAsked: true };
const drafts: Readonly<Record<string, SchemeDraft>> = {
  "a bare HMAC": newScheme,
  "a prefix": {
    ...newScheme,
    header: "x-hub-signature-256",
    format: "prefixed",
    prefix: "sha256=",
  },
  "pairs with a time": stripeLike,
  "an id and a time in headers": {
    ...newScheme,
    encoding: "base64",
    template: "{id}.{timestamp}.{body}",
    time: "header",
    timeName: "webhook-timestamp",
    decode: "base64",
    stripPrefix: "whsec_",
  },
  "a token": { ...newScheme, kind: "token", header: "x-token", prefix: "Token " },
  "basic authentication": { ...newScheme, kind: "basic" },
  "a bearer token": { ...newScheme, kind: "bearer" },
  "SHA-384 over a header with the body's hash": {
    ...newScheme,
    hash: "sha384",
    template: "{digest}",
    digestHeader: "content-digest",
    digestHash: "sha512",
    digestPrefix: "",
  },
  "RSA with SHA-512": {
    ...newScheme,
    kind: "publicKey",
    algorithm: "rsa-sha512",
    decode: "base64",
  },
  "a web token": {
    ...newScheme,
    kind: "jwt",
    header: "authorization",
    prefix: "Bearer ",
    claim: "hash",
    issuer: "acme",
  },
  "a web token that expires": {
    ...newScheme,
    kind: "jwt",
    header: "x-jwt",
    jwtAlgorithm: "RS512",
    maxAgeSeconds: "",
  },
  "the handshake of LinkedIn": {
    ...newScheme,
    handshake: {
      ...asked,
      name: "challengeCode",
      reply: "json",
      field: "challengeCode",
      hmacField: "challengeResponse",
    },
  },
  "the handshake of Strava": {
    ...newScheme,
    kind: "bearer",
    handshake: {
      ...asked,
      name: "hub.challenge",
      verifyToken: "hub.verify_token",
      reply: "json",
      field: "hub.challenge",
    },
  },
  "the handshake of RingCentral": {
    ...newScheme,
    handshake: {
      ...asked,
      method: "POST",
      from: "header",
      name: "validation-token",
      reply: "header",
    },
  },
  "a challenge in JSON": {
    ...newScheme,
    handshake: { ...asked, method: "POST", from: "body", name: "challenge" },
  },
  "a public key": { ...newScheme, kind: "publicKey", decode: "hex" },
};

test.each(Object.entries(drafts))(
  "%s is valid for the API, and fits the form again",
  (_, draft) => {
    const written = toVerification(draft);
    const stored = verificationSchema.parse(written);
    const again = toSchemeDraft(stored);
    expect(again).not.toBeNull();
    expect(toVerification(again ?? newScheme)).toEqual(written);
  },
);

test("a verification that the form can't express isn't forced into it", () => {
  const stored = toVerification(newScheme);
  expect(toSchemeDraft({ ...stored, requiredHeaders: [{ name: "x-sender" }] })).toBeNull();
  expect(toSchemeDraft({ ...stored, mac: "digest" })).toBeNull();
  expect(toSchemeDraft(null)).toBeNull();
  expect(toSchemeDraft("{}")).toBeNull();
});

test("an invalid tolerance is rejected, not taken as none", () => {
  const parsed = verificationSchema.safeParse(
    toVerification({ ...stripeLike, toleranceSeconds: " " }),
  );
  expect(parsed.error?.issues.map(({ path }) => path.join("."))).toContain("timestamp.pastSeconds");
});

test("the example shows where each part is", () => {
  expect(exampleHeaders(stripeLike)).toEqual(["stripe-signature: t=1795000000,v1=5257a869e7ec…"]);
  expect(exampleHeaders({ ...newScheme, format: "prefixed", prefix: "sha256=" })[0]).toContain(
    "sha256=5257",
  );
});
