/** Schemes that users can describe and no provider of the catalog needs. */
import { createHmac, hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { signSample } from "#lib/core/providers/samples/sign-sample.ts";
import {
  findHookReplayProtection,
  isHookIdentitySigned,
} from "#lib/core/verify/hook/hook-verifier.ts";
import { verificationSchema } from "#lib/schema/receive/verification.ts";
import { checkSecret } from "./scheme/secret.ts";
import { signRequest } from "./sign.ts";
import { requestOf, testUrl } from "./testing/test-request.ts";
import { toScheme } from "./to-scheme.ts";
import { prepareVerifier } from "./verify.ts";

const nowMs = 1_700_000_000_000;
const seconds = nowMs / 1000;
const day = 86_400;
const text = '{"id":"evt_1"}';

const mac = {
  kind: "mac",
  mac: "hmac",
  hash: "sha256",
  encoding: "hex",
  signature: { sources: [{ from: "header", name: "x-signature" }], format: { type: "bare" } },
  signed: { template: "{body}" },
  secret: { decode: "utf8" },
};
const timed = {
  ...mac,
  signed: { template: "POST:/orders:{timestamp}:{sha256(body)}" },
  timestamp: {
    source: { from: "header", name: "x-timestamp" },
    unit: "s",
    pastSeconds: 3 * day,
    futureSeconds: 300,
  },
};

function schemeOf(verification: object) {
  return toScheme(verificationSchema.parse(verification));
}

function outcome(
  verification: object,
  secret: string,
  headers: Record<string, string>,
  { body = text, url = testUrl, atMs = nowMs } = {},
) {
  const verify = prepareVerifier({ scheme: schemeOf(verification), secrets: [secret] });
  const verdict = verify(requestOf(headers, body, { url }), atMs);
  return verdict.outcome === "failed" ? verdict.reason : verdict.outcome;
}

describe("{sha256(body)} in the signed text", () => {
  const sign = (body: string) => ({
    "x-timestamp": String(seconds),
    "x-signature": createHmac("sha256", "s")
      .update(`POST:/orders:${seconds}:${hash("sha256", body, "hex")}`)
      .digest("hex"),
  });

  it("is the lowercase hex of the body as sent", () => {
    expect(outcome(timed, "s", sign(text))).toBe("verified");
    expect(outcome(timed, "s", sign(text), { body: `${text} ` })).toBe("signature_mismatch");
    expect(outcome(timed, "s", sign(""), { body: "" })).toBe("verified");
  });

  it("is signed for samples in the same way", () => {
    const body = Buffer.from(text);
    const headers = signRequest(schemeOf(timed), "s", { body, timestampMs: nowMs });
    expect(headers).toEqual(sign(text));
  });

  it("covers the body: an id in it is signed, and replay protection knows it", () => {
    const hook = { provider: "custom", verification: timed };
    expect(isHookIdentitySigned(hook, [{ from: "body", path: "id" }])).toBe(true);
    expect(findHookReplayProtection(hook)).toMatchObject({ isPossible: true });
  });

  it("can't be signed by a handshake: its hash would sign any body", () => {
    const handshakes = [
      {
        method: "GET",
        challenge: { from: "query", name: "c" },
        hmac: { hash: "sha256", encoding: "hex" },
        reply: { text: "{hmac}" },
      },
    ];
    const parsed = verificationSchema.safeParse({ ...timed, handshakes });
    expect(parsed.error?.issues.map(({ path }) => path.join("."))).toEqual(["handshakes.0.hmac"]);
  });
});

describe("a window of three days", () => {
  it("accepts retries that keep the first time, until the window ends", () => {
    const headers = signRequest(schemeOf(timed), "s", {
      body: Buffer.from(text),
      timestampMs: nowMs,
    });
    const late = (by: number) => outcome(timed, "s", headers, { atMs: nowMs + by * 1000 });
    expect([late(3 * day), late(3 * day + 1)]).toEqual(["verified", "timestamp_too_old"]);
  });
});

describe("a base64url secret", () => {
  const scheme = { ...mac, secret: { decode: "base64url", stripPrefix: "key_" } };
  const key = Buffer.from([0xfb, 0xff, 0xfe, 1]);
  const headers = { "x-signature": createHmac("sha256", key).update(text).digest("hex") };

  it("is decoded, with or without padding and prefix", () => {
    expect(key.toString("base64url")).toMatch(/[-_]/);
    for (const secret of ["key_-__-AQ", "-__-AQ", "key_-__-AQ=="])
      expect([secret, outcome(scheme, secret, headers)]).toEqual([secret, "verified"]);
  });

  it.each(["key_+//+AQ", "key_-__-AR", "key_-__-A", "key_-__-AQ=", "key_-_ _"])(
    "rejects what isn't base64url: %s",
    (secret) => {
      expect(checkSecret(schemeOf(scheme), secret)).toMatchObject({ ok: false });
      expect(outcome(scheme, secret, headers)).toBe("secret_malformed");
    },
  );

  it("is the key of a JSON Web Token too", () => {
    const jwt = {
      kind: "jwt",
      source: { from: "header", name: "x-token" },
      algorithms: ["HS256"],
      decode: "base64url",
      bodyHash: { claim: "hash", hash: "sha256", encoding: "hex" },
    };
    expect(checkSecret(schemeOf(jwt), "-__-AQ").ok).toBe(true);
    expect(checkSecret(schemeOf(jwt), "+//+AQ").ok).toBe(false);
  });
});

describe("a token in the path of the catch URL", () => {
  const scheme = { kind: "token", source: { from: "path" } };
  const send = (below: string) => outcome(scheme, "s3 cret/", {}, { url: `${testUrl}${below}` });

  it("is the first segment below it, decoded", () => {
    expect(["/s3%20cret%2F", "/s3%20cret%2f/orders/eu", "/s3%20cret%2F?a=1"].map(send)).toEqual([
      "verified",
      "verified",
      "verified",
    ]);
  });

  it("counts nowhere else", () => {
    expect(["", "/", "?x=/s3%20cret%2F", "#/s3%20cret%2F"].map(send)).toEqual(
      Array(4).fill("token_missing"),
    );
    expect(["/s3%20cret%2F%2F", "/orders/s3%20cret%2F", "/s3 cret"].map(send)).toEqual(
      Array(3).fill("token_mismatch"),
    );
  });

  it("is in the URL of a sample", () => {
    const sample = { eventType: "test", headers: {}, content: { json: {} } };
    const options = { method: "POST", url: testUrl, nowMs, id: "1" };
    const signed = signSample(schemeOf(scheme), "s3 cret/", sample, options);
    expect(signed?.url).toBe(`${testUrl}/s3%20cret%2F`);
  });
});
