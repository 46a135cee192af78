/** Attacks on web tokens, whatever their source. */
import { createHash, createHmac, createSecretKey, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { startProcessorTime } from "#lib/base/testing/processor-time.ts";
import { signJwt } from "./jwt/jwt.ts";
import { readSigningKeys } from "./scheme/read-signing-keys.ts";
import type { KeyLookup, KeySource } from "./scheme/signing-key.ts";
import { outcomeOf } from "./testing/test-outcome.ts";
import { requestOf, testUrl } from "./testing/test-request.ts";

const nowMs = 1_800_000_000_000;
const seconds = nowMs / 1000;

describe("web tokens", () => {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const shortRsa = generateKeyPairSync("rsa", { modulusLength: 1024 });
  const keySet = (...keys: { key: (typeof rsa)["publicKey"]; kid: string }[]): KeyLookup => {
    const jwks = keys.map(({ key, kid }) => ({
      ...key.export({ format: "jwk" }),
      kid,
      use: "sig",
      alg: "RS256",
    }));
    const read = readSigningKeys("jwks", {
      status: 200,
      body: Buffer.from(JSON.stringify({ keys: jwks })),
    });
    return () => read ?? undefined;
  };
  const keys = keySet({ key: rsa.publicKey, kid: "k1" });
  const email = "push@my-project.iam.gserviceaccount.com";
  const claims = {
    iss: "https://accounts.google.com",
    aud: testUrl,
    email,
    email_verified: true,
    iat: seconds,
    exp: seconds + 3600,
  };
  const token = (changed: object = {}, kid = "k1", key = rsa.privateKey) =>
    signJwt("RS256", key, { ...claims, ...changed }, kid);
  const check = (jwt: string, lookUp = keys, atMs = nowMs) =>
    outcomeOf(
      "google-pubsub",
      { serviceAccountEmail: email },
      requestOf({ authorization: `Bearer ${jwt}` }, "{}"),
      {
        keys: lookUp,
        atMs,
      },
    );

  it("one of the service account for this URL is accepted", () => {
    expect(check(token())).toBe("verified");
    expect(check(token({ iss: "accounts.google.com" }))).toBe("verified");
    expect(check(token({ exp: seconds + 3600.5 }), keys, nowMs + 3_600_000)).toBe("verified");
  });

  it.each([
    [
      "of another service account",
      { email: "other@evil.iam.gserviceaccount.com" },
      "claim_mismatch",
    ],
    ["with an address that is not verified", { email_verified: "true" }, "claim_mismatch"],
    ["without an address", { email: undefined }, "claim_missing"],
    ["for another URL", { aud: "https://hooks.example/catch/acme/other" }, "claim_mismatch"],
    ["for several", { aud: [testUrl] }, "claim_mismatch"],
    ["of another issuer", { iss: "https://evil.example" }, "claim_mismatch"],
    ["that has run out", { exp: seconds - 61 }, "timestamp_too_old"],
    ["that never runs out", { exp: undefined }, "timestamp_missing"],
    ["that runs out at a text", { exp: "9999999999" }, "timestamp_malformed"],
    ["that runs out at infinity", { exp: 1e300 }, "timestamp_malformed"],
    ["made in the future", { iat: seconds + 61 }, "timestamp_in_future"],
    ["not valid yet", { nbf: seconds + 61 }, "timestamp_in_future"],
  ])("one %s is rejected", (_title, changed, reason) => {
    expect(check(token(changed))).toBe(reason);
  });

  it("one whose key isn't in the set is rejected, and one whose key isn't available is undecided", () => {
    expect(check(token({}, "k2"))).toBe("key_unknown");
    expect(check(signJwt("RS256", rsa.privateKey, claims))).toBe("key_unknown");
    expect(check(token(), () => undefined)).toBe("needsKey");
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
    expect(check(token({}, "k1", other.privateKey))).toBe("signature_mismatch");
    expect(
      check(token({}, "k1", shortRsa.privateKey), keySet({ key: shortRsa.publicKey, kid: "k1" })),
    ).toBe("signature_mismatch");
  });

  /** A token with any header, signed with any bytes. */
  function forge(
    header: object,
    makeSignature: (text: Buffer) => string,
    body: object = claims,
  ): string {
    const text = [header, body]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    return `${text}.${makeSignature(Buffer.from(text))}`;
  }
  const bySecret = (secret: string) => (text: Buffer) =>
    createHmac("sha256", secret).update(text).digest("base64url");

  it("an algorithm that isn't allowed is rejected: none, a MAC with the public key, another hash", () => {
    const pem = rsa.publicKey.export({ type: "spki", format: "pem" });
    const byRsa = (hash: string) => (text: Buffer) =>
      sign(hash, text, rsa.privateKey).toString("base64url");
    expect(check(forge({ alg: "none", kid: "k1" }, () => ""))).toBe("signature_malformed");
    expect(check(forge({ alg: "none", kid: "k1" }, () => "AA"))).toBe("signature_malformed");
    expect(check(forge({ alg: "HS256", kid: "k1" }, bySecret(String(pem))))).toBe(
      "signature_malformed",
    );
    expect(check(forge({ alg: "RS384", kid: "k1" }, byRsa("sha384")))).toBe("signature_malformed");
    expect(check(forge({ alg: "RS256", kid: "k1" }, byRsa("sha1")))).toBe("signature_mismatch");
    expect(check(forge({ alg: ["RS256"], kid: "k1" }, byRsa("sha256")))).toBe(
      "signature_malformed",
    );
    expect(check(forge({ kid: "k1" }, byRsa("sha256")))).toBe("signature_malformed");
  });

  it("a token's own keys are ignored: jwk, jku, x5u, crit, and a strange kid", () => {
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const byOther = (text: Buffer) => sign("sha256", text, other.privateKey).toString("base64url");
    const byRsa = (text: Buffer) => sign("sha256", text, rsa.privateKey).toString("base64url");
    const jwk = other.publicKey.export({ format: "jwk" });
    expect(
      check(forge({ alg: "RS256", kid: "k1", jwk, jku: "https://evil.example" }, byOther)),
    ).toBe("signature_mismatch");
    expect(check(forge({ alg: "RS256", kid: "k1", crit: ["exp"] }, byRsa))).toBe(
      "signature_malformed",
    );
    for (const kid of [1, null, ["k1"], "k".repeat(257)])
      expect(check(forge({ alg: "RS256", kid }, byRsa))).toBe("signature_malformed");
    expect(check(forge({ alg: "RS256", kid: "__proto__" }, byRsa))).toBe("key_unknown");
  });

  it.each([
    ["two parts", (jwt: string) => jwt.split(".").slice(0, 2).join(".")],
    ["four parts", (jwt: string) => `${jwt}.AA`],
    ["padding", (jwt: string) => `${jwt}==`],
    [
      "base64 that is not of URLs",
      (jwt: string) => jwt.replaceAll("_", "/").replaceAll("-", "+").replace(/.$/, "+"),
    ],
    ["a line break", (jwt: string) => `${jwt}\n`],
    ["a claim set that is a list", () => forge({ alg: "RS256", kid: "k1" }, () => "AAAA", [])],
    ["no bytes of signature", (jwt: string) => `${jwt.split(".").slice(0, 2).join(".")}.`],
    ["20,000 characters", (jwt: string) => jwt + "A".repeat(20_000)],
    ["10,000 dots", () => ".".repeat(10_000)],
  ])("one with %s is refused in no time", (_title, change) => {
    const jwt = change(token());
    const elapsedMs = startProcessorTime();
    expect(check(jwt)).toMatch(/^signature_(malformed|mismatch)$/);
    expect(elapsedMs()).toBeLessThan(50);
  });

  it("fusionauth: a pasted public key is never a MAC secret, and the other way round", () => {
    const pem = String(rsa.publicKey.export({ type: "spki", format: "pem" }));
    const hash = createHash("sha256").update("{}").digest("base64");
    const body = { request_body_sha256: hash };
    const verify = (secret: string, jwt: string) =>
      outcomeOf("fusionauth", {}, requestOf({ "x-fusionauth-signature-jwt": jwt }, "{}"), {
        keys,
        secrets: [secret],
        atMs: nowMs,
      });
    expect(verify(pem, signJwt("RS256", rsa.privateKey, body))).toBe("verified");
    expect(verify("s3cret", signJwt("HS512", createSecretKey(Buffer.from("s3cret")), body))).toBe(
      "verified",
    );
    expect(verify(pem, signJwt("HS256", createSecretKey(Buffer.from(pem)), body))).toBe(
      "signature_mismatch",
    );
    expect(verify("s3cret", signJwt("RS256", rsa.privateKey, body))).toBe("signature_mismatch");
  });

  it(
    "plaid: the key is requested by its id, with the account's " +
      "own credentials, and an expired one is rejected",
    () => {
      const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const response = (expired: number | null) =>
        readSigningKeys("plaid", {
          status: 200,
          body: Buffer.from(
            JSON.stringify({
              key: {
                ...ec.publicKey.export({ format: "jwk" }),
                kid: "p1",
                use: "sig",
                alg: "ES256",
                expired_at: expired,
              },
            }),
          ),
        }) ?? undefined;
      const settings = { clientId: "5e6b1f2c3d4a5b6c7d8e9f01", environment: "sandbox" };
      const hash = createHash("sha256").update("{}").digest("hex");
      const jwt = signJwt(
        "ES256",
        ec.privateKey,
        { iat: seconds, request_body_sha256: hash },
        "p1",
      );
      const request = requestOf({ "plaid-verification": jwt }, "{}");
      const asked: KeySource[] = [];
      const check = (expired: number | null, atMs = nowMs, of = request) =>
        outcomeOf("plaid", settings, of, {
          secrets: ["plaid-secret"],
          atMs,
          keys: (source) => {
            asked.push(source);
            return response(expired);
          },
        });
      expect(check(null)).toBe("verified");
      expect(asked[0]).toMatchObject({
        url: "https://sandbox.plaid.com/webhook_verification_key/get",
        keyId: "p1",
        body: JSON.stringify({
          client_id: settings.clientId,
          secret: "plaid-secret",
          key_id: "p1",
        }),
      });
      expect(check(seconds - 1)).toBe("key_expired");
      expect(check(null, nowMs + 361_000)).toBe("timestamp_too_old");
      expect(check(null, nowMs, requestOf({ "plaid-verification": jwt }, "{} "))).toBe(
        "body_mismatch",
      );
    },
  );
});
