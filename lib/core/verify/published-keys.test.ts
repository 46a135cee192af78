/** Providers that publish their keys: which keys are valid, when, and from where. */
import { generateKeyPairSync, sign } from "node:crypto";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { readSigningKeys } from "./scheme/read-signing-keys.ts";
import { isKeyUrlAllowed, type KeyLookup, type KeySource } from "./scheme/signing-key.ts";
import { providerCertificate } from "./testing/test-certificate.ts";
import { outcomeOf } from "./testing/test-outcome.ts";
import { requestOf } from "./testing/test-request.ts";
import { prepareVerifier } from "./verify.ts";

const nowMs = providerCertificate.validAtMs;

const certificateOf = (pem: string): KeyLookup => {
  const read = readSigningKeys("certificate", { status: 200, body: Buffer.from(pem) });
  return () => read ?? undefined;
};
const goodCertificate = certificateOf(providerCertificate.cert);

describe("amazon sns", () => {
  const topicArn = "arn:aws:sns:eu-central-1:123456789012:orders";
  const url = "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0123.pem";
  const notification = {
    Type: "Notification",
    MessageId: "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
    TopicArn: topicArn,
    Subject: "My First Message",
    Message: 'Hello\n"world" ☃',
    Timestamp: "2012-05-02T00:54:06.655Z",
  };
  const confirmation = {
    Type: "SubscriptionConfirmation",
    MessageId: "165545c9",
    Token: "2336412f",
    TopicArn: topicArn,
    Message: "You have chosen to subscribe",
    SubscribeURL: "https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription",
    Timestamp: "2012-04-26T20:45:04.751Z",
  };
  const order = [
    "Message",
    "MessageId",
    "Subject",
    "SubscribeURL",
    "Timestamp",
    "Token",
    "TopicArn",
    "Type",
  ];

  function signed(message: Record<string, string>, version: "1" | "2" = "2") {
    const text = order
      .flatMap((name) => (name in message ? [`${name}\n${message[name]}\n`] : []))
      .join("");
    const signature = sign(
      version === "1" ? "sha1" : "sha256",
      Buffer.from(text),
      providerCertificate.key,
    );
    return {
      ...message,
      SignatureVersion: version,
      SigningCertURL: url,
      Signature: signature.toString("base64"),
    };
  }

  function check(message: object, options: Partial<Parameters<typeof outcomeOf>[3]> = {}) {
    const request = requestOf(
      { "content-type": "text/plain; charset=UTF-8" },
      JSON.stringify(message),
    );
    return outcomeOf("aws-sns", { topicArn }, request, {
      keys: goodCertificate,
      atMs: nowMs,
      ...options,
    });
  }

  it("both signature versions are accepted, with and without a subject, for each message type", () => {
    const { Subject: _subject, ...plain } = notification;
    expect([check(signed(notification, "1")), check(signed(notification, "2"))]).toEqual([
      "verified",
      "verified",
    ]);
    expect([check(signed(plain)), check({ ...signed(plain), Subject: null })]).toEqual([
      "verified",
      "verified",
    ]);
    expect(check(signed(confirmation))).toBe("verified");
    expect(check(signed({ ...confirmation, Type: "UnsubscribeConfirmation" }))).toBe("verified");
  });

  it("a changed field, another version, and an unknown type are rejected", () => {
    for (const name of ["Message", "MessageId", "Subject", "Timestamp"])
      expect(check({ ...signed(notification), [name]: "other" })).toBe("signature_mismatch");
    expect(check({ ...signed(confirmation), SubscribeURL: "https://evil.example" })).toBe(
      "signature_mismatch",
    );
    expect(check({ ...signed(notification), SignatureVersion: "1" })).toBe("signature_mismatch");
    expect(check({ ...signed(notification), SignatureVersion: "3" })).toBe("signature_malformed");
    expect(check({ ...signed(notification), SignatureVersion: "toString" })).toBe(
      "signature_malformed",
    );
    expect(check({ ...signed(notification), Type: "constructor" })).toBe("value_missing");
    expect(check({ ...signed(notification), Message: { a: 1 } })).toBe("value_missing");
  });

  it("a message of another topic is rejected, even if Amazon signed it", () => {
    expect(check(signed({ ...notification, TopicArn: `${topicArn}2` }))).toBe("claim_mismatch");
  });

  it("the certificate must be valid at the time of arrival", () => {
    expect(check(signed(notification), { atMs: Date.UTC(2020, 0, 1) })).toBe("key_expired");
    expect(check(signed(notification), { atMs: Date.UTC(2127, 0, 1) })).toBe("key_expired");
  });

  it("before the certificate is fetched there is no verdict; if there is none, it is forged", () => {
    expect(check(signed(notification), { keys: () => undefined })).toBe("needsKey");
    expect(check(signed(notification), { keys: () => [] })).toBe("key_unknown");
  });

  it.each([
    "http://sns.us-east-1.amazonaws.com/a.pem",
    "https://sns.us-east-1.amazonaws.com.evil.example/a.pem",
    "https://evil.example/sns.us-east-1.amazonaws.com/a.pem",
    "https://sns.us-east-1.amazonaws.com:444/a.pem",
    "https://user@sns.us-east-1.amazonaws.com/a.pem",
    "https://sns.us-east-1.amazonaws.com@evil.example/a.pem",
    "https://sns.us-east-1.amazonaws.com/a.pem?x=1",
    "https://sns.us-east-1.amazonaws.com/a.pem#x",
    "https://sns.us-east-1.amazonaws.com/../a.pem",
    "https://sns.us-east-1.amazonaws.com/a.pem\n",
    "https://sns.us-east-1.amazonaws.com/a.txt",
    "https://sns..amazonaws.com/a.pem",
    "https://snsxus-east-1.amazonaws.com/a.pem",
    "https://sns.us-east-1.amazonaws.com.cn.evil.example/a.pem",
    "https://my-bucket.s3.amazonaws.com/a.pem",
    "https://SNS.us-east-1.amazonaws.com/a.pem",
    "https://169.254.169.254/a.pem",
    "file:///etc/a.pem",
    "",
  ])("a certificate at %j is never fetched", (SigningCertURL) => {
    const asked: KeySource[] = [];
    const keys: KeyLookup = (source) => {
      asked.push(source);
      return undefined;
    };
    expect(check({ ...signed(notification), SigningCertURL }, { keys })).toBe("key_source_refused");
    expect(asked).toEqual([]);
    expect(isKeyUrlAllowed(SigningCertURL)).toBe(false);
  });

  it("certificates of every partition are", () => {
    for (const host of ["sns.us-gov-west-1.amazonaws.com", "sns.cn-north-1.amazonaws.com.cn"])
      expect(isKeyUrlAllowed(`https://${host}/SimpleNotificationService-0123abc.pem`)).toBe(true);
  });
});

describe("paypal", () => {
  const body = '{"id":"WH-1","event_type":"PAYMENT.CAPTURE.COMPLETED"}';
  const url = "https://api.sandbox.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594";
  const webhookId = "8PT597110X687430LKGECATA";
  const time = "2027-01-01T00:00:00Z";

  function headersOf(changed: Record<string, string> = {}, id = webhookId) {
    const text = `69cd13f0-d67a-11e5|${time}|${id}|${crc32(body)}`;
    return {
      "paypal-transmission-id": "69cd13f0-d67a-11e5",
      "paypal-transmission-time": time,
      "paypal-transmission-sig": sign(
        "sha256",
        Buffer.from(text),
        providerCertificate.key,
      ).toString("base64"),
      "paypal-cert-url": url,
      "paypal-auth-algo": "SHA256withRSA",
      ...changed,
    };
  }
  const check = (headers: Record<string, string>, text = body, keys = goodCertificate) =>
    outcomeOf("paypal", { webhookId }, requestOf(headers, text), { keys, atMs: nowMs });

  it("only what was signed for this webhook is accepted", () => {
    expect(check(headersOf())).toBe("verified");
    expect(check(headersOf(), `${body} `)).toBe("signature_mismatch");
    expect(check(headersOf({}, "ANOTHERWEBHOOK"))).toBe("signature_mismatch");
    expect(check(headersOf({ "paypal-transmission-time": "2027-01-01T00:00:01Z" }))).toBe(
      "signature_mismatch",
    );
    expect(check(headersOf({ "paypal-auth-algo": "SHA1withRSA" }))).toBe("header_unexpected");
    expect(check(headersOf(), body, () => undefined)).toBe("needsKey");
  });

  it.each([
    "https://api.paypal.com.evil.example/v1/notifications/certs/CERT-1",
    "https://evil.example/v1/notifications/certs/CERT-1",
    "https://api.paypal.com/v1/notifications/certs/../../x",
    "http://api.paypal.com/v1/notifications/certs/CERT-1",
    "https://www.paypalobjects.com/v1/notifications/certs/CERT-1",
  ])("a certificate at %j is never fetched", (certificate) => {
    expect(check(headersOf({ "paypal-cert-url": certificate }))).toBe("key_source_refused");
  });
});

describe("a source's response", () => {
  const read = (format: KeySource["format"], status: number, body: string) =>
    readSigningKeys(format, { status, body: Buffer.from(body) });

  it("is keys, or that there are none, or unusable", () => {
    expect(read("certificate", 200, providerCertificate.cert)).toHaveLength(1);
    expect(read("certificate", 404, "")).toEqual([]);
    expect(read("certificate", 500, providerCertificate.cert)).toBeNull();
    expect(read("certificate", 200, "<html>")).toBeNull();
    expect(read("certificate", 200, providerCertificate.key)).toBeNull();
    expect(read("jwks", 200, '{"keys":[{"kty":"RSA"},{"kty":"oct","k":"AAAA"},7,null]}')).toEqual(
      [],
    );
    expect(read("jwks", 200, '{"keys":{}}')).toBeNull();
    expect(read("jwks", 200, "[]")).toBeNull();
    expect(read("jwks", 302, '{"keys":[]}')).toBeNull();
    expect(read("plaid", 400, '{"error_code":"INVALID_WEBHOOK_VERIFICATION_KEY_ID"}')).toEqual([]);
    expect(read("plaid", 400, '{"error_code":"INVALID_API_KEYS"}')).toBeNull();
    expect(read("plaid", 200, '{"key":null}')).toBeNull();
  });

  it("only the public half of a private key is used", () => {
    const { privateKey } = generateKeyPairSync("ed25519");
    const jwk = privateKey.export({ format: "jwk" });
    const [found] = read("jwks", 200, JSON.stringify({ keys: [jwk] })) ?? [];
    expect(found?.key.type).toBe("public");
  });
});

describe("plaid", () => {
  it("requests a key with the newest secret", () => {
    const toPart = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const signature = Buffer.alloc(64, 1).toString("base64url");
    const token = `${toPart({ alg: "ES256", kid: "k1" })}.${toPart({ iat: 1 })}.${signature}`;
    const secrets = ["newsecretnewsecretnewsecret123", "oldsecretoldsecretoldsecret123"];
    const scheme = findProvider("plaid")?.scheme;
    const verify = prepareVerifier({
      name: "plaid",
      scheme,
      secrets,
      settings: { clientId: "5e6b1f2c3d4a5b6c7d8e9f01" },
    });
    const verdict = verify(
      requestOf({ "plaid-verification": token }, "{}"),
      nowMs,
      () => undefined,
    );
    expect(verdict.outcome).toBe("needsKey");
    expect(JSON.stringify(verdict)).toContain("newsecret");
    expect(JSON.stringify(verdict)).not.toContain("oldsecret");
  });
});

describe("ebay", () => {
  it.each([
    ["an algorithm that is not text", { signature: "AAAA", alg: { toString: 1 } }, "{}"],
    ["a digest that is not text", { signature: "AAAA", digest: { toString: 1 } }, "{}"],
    [
      "a body nested too deep to be serialized again",
      { signature: "AAAA" },
      `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
    ],
  ])("rejects %s", (_, head, body) => {
    const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey;
    const secret = key.export({ type: "spki", format: "pem" }).toString();
    const verify = prepareVerifier({
      name: "ebay",
      scheme: findProvider("ebay")?.scheme,
      secrets: [secret],
    });
    const header = Buffer.from(JSON.stringify(head)).toString("base64");
    expect(verify(requestOf({ "x-ebay-signature": header }, body), nowMs).outcome).toBe("failed");
  });
});
