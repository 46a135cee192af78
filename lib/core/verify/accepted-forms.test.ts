/** Requests that providers really send, in every format they use. */

import { createHmac, createSecretKey, hash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { StreamChat } from "stream-chat";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it } from "vitest";
import { findProvider, listProviders } from "#lib/core/providers/catalog/catalog.ts";
import { signJwt } from "./jwt/jwt.ts";
import type { MacScheme, Scheme } from "./scheme/scheme.ts";
import { signRequest } from "./sign.ts";
import { schemeOf } from "./testing/scheme-of.ts";
import { requestOf, testUrl } from "./testing/test-request.ts";
import { sampleKeys, sampleRequest, sampleSecret, sampleSettings } from "./testing/test-sample.ts";
import { prepareVerifier } from "./verify.ts";

const nowMs = 1_700_000_000_000;
const seconds = String(nowMs / 1000);
const whsec = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const text = '{"id":"evt_1"}';

function outcome(
  scheme: Scheme,
  secret: string,
  headers: Record<string, string>,
  body: string | Uint8Array = text,
  url = testUrl,
) {
  const verdict = prepareVerifier({ scheme, secrets: [secret] })(
    requestOf(headers, body, { url }),
    nowMs,
  );
  return verdict.outcome === "failed" ? verdict.reason : verdict.outcome;
}

describe("both header families of Standard Webhooks", () => {
  const families = ["webhook", "svix"] as const;
  const followers = listProviders().filter(
    // GitLab has its own ids besides the standard's.
    ({ id, scheme }) => id !== "gitlab-signing" && "headerAlias" in scheme,
  );
  const sign = (family: string, Package: typeof StandardWebhook | typeof SvixWebhook) => ({
    [`${family}-id`]: "msg_1",
    [`${family}-timestamp`]: seconds,
    [`${family}-signature`]: new Package(whsec).sign("msg_1", new Date(nowMs), text),
  });

  it("svix and standard-webhooks verify what either package signs, under either name", () => {
    for (const id of ["svix", "standard-webhooks"]) {
      for (const family of families) {
        for (const Package of [StandardWebhook, SvixWebhook])
          expect(outcome(schemeOf(id), whsec, sign(family, Package))).toBe("verified");
        const headers = sign(family, SvixWebhook);
        expect(outcome(schemeOf(id), whsec, headers, `${text} `)).toBe("signature_mismatch");
      }
    }
  });

  it("a signed message never gets another id from a header of the other family", () => {
    for (const id of ["svix", "standard-webhooks"]) {
      for (const family of families) {
        for (const name of ["webhook-id", "svix-id"]) {
          const added = { [name]: "msg_2", ...sign(family, SvixWebhook) };
          const isVerified = outcome(schemeOf(id), whsec, added) === "verified";
          const [first] = (findProvider(id)?.eventId ?? []).flatMap((source) =>
            source.from === "header" && added[source.name] !== undefined
              ? [added[source.name]]
              : [],
          );
          if (isVerified) expect(first).toBe("msg_1");
        }
      }
    }
  });

  it("the id of an event is found under either name", () => {
    expect(followers.length).toBeGreaterThan(15);
    for (const { id, eventId } of followers) {
      const names = eventId.flatMap((source) => (source.from === "header" ? [source.name] : []));
      expect([id, names.toSorted()]).toEqual([id, ["svix-id", "webhook-id"]]);
    }
  });
});

describe("pairs", () => {
  const v1 = createHmac("sha256", "s").update(`${nowMs}.${text}`).digest("hex");

  it.each([`t=${nowMs}, v1=${v1}`, `t=${nowMs},v1=${v1}`, ` t=${nowMs} ,\tv1=${v1} `])(
    "WorkOS with or without white space: %j",
    (header) => {
      expect(outcome(schemeOf("workos"), "s", { "workos-signature": header })).toBe("verified");
    },
  );

  it.each([",", ", ", ";", "; "])(
    "a custom scheme with %j between pairs accepts both notations",
    (itemSeparator) => {
      const workos = schemeOf("workos") as MacScheme;
      const format = { type: "pairs", itemSeparator, keySeparator: "=", key: "v1" } as const;
      const scheme = { ...workos, signature: { ...workos.signature, format } };
      const mark = itemSeparator.trim();
      for (const between of [mark, `${mark} `]) {
        const header = `t=${nowMs}${between}v1="${v1}"`;
        expect(outcome(scheme, "s", { "workos-signature": header })).toBe("verified");
      }
    },
  );
});

describe("uppercase hex", () => {
  const isHex = ({ scheme }: { scheme: Scheme }) =>
    scheme.kind === "code"
      ? /\bhex\b/.test(scheme.proof)
      : "encoding" in scheme && scheme.encoding === "hex";

  it.each(
    listProviders()
      .filter(isHex)
      .map(({ id, scheme }) => [id, scheme] as const),
  )("%s", (id, scheme) => {
    const secret = sampleSecret(scheme, id);
    const request = sampleRequest(scheme, secret.signing, nowMs);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, values]) => [
        name,
        (values ?? []).map((value) =>
          value.replaceAll(/\b[0-9a-f]{32,128}\b/g, (digits) => digits.toUpperCase()),
        ),
      ]),
    );
    const verify = prepareVerifier({
      scheme,
      secrets: [secret.pasted],
      settings: sampleSettings(scheme),
    });
    expect(verify({ ...request, headers }, nowMs, sampleKeys)).toMatchObject({
      outcome: "verified",
    });
  });
});

it("HubSpot v3 signs the URL with exactly its own escapes decoded", () => {
  const query = "a=%3A%2f%3F%40%21%24%27%28%29%2A%2C%3B&b=%20%26+%C3%A9";
  const signedUrl = `${testUrl}?a=:/?@!$'()*,;&b=%20%26+%C3%A9`;
  const signature = createHmac("sha256", "s")
    .update(`POST${signedUrl}${text}${nowMs}`)
    .digest("base64");
  const headers = {
    "x-hubspot-signature-v3": signature,
    "x-hubspot-request-timestamp": String(nowMs),
  };
  expect(outcome(schemeOf("hubspot"), "s", headers, text, `${testUrl}?${query}`)).toBe("verified");
  expect(outcome(schemeOf("hubspot"), "s", headers, text, `${testUrl}?${query}%20`)).toBe(
    "signature_mismatch",
  );
});

describe("Stream", () => {
  const packed = gzipSync(text);
  const sign = (body: string | Uint8Array) => ({
    "x-signature": createHmac("sha256", "s3cret").update(body).digest("hex"),
    "content-encoding": "gzip",
  });

  it("signs the body before compression, as its own package verifies it", () => {
    const headers = sign(text);
    const own = new StreamChat("key", "s3cret");
    expect(own.verifyAndParseWebhook(packed, headers["x-signature"])).toEqual({ id: "evt_1" });
    expect(outcome(schemeOf("stream"), "s3cret", headers, packed)).toBe("verified");
    expect(outcome(schemeOf("stream"), "s3cret", headers, text)).toBe("verified");
  });

  it("the compressed bytes aren't what is signed, and a bomb isn't decompressed", () => {
    expect(outcome(schemeOf("stream"), "s3cret", sign(packed), packed)).toBe("signature_mismatch");
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
    expect(outcome(schemeOf("stream"), "s3cret", sign(bomb), bomb)).toBe("body_malformed");
    expect(outcome(schemeOf("stream"), "s3cret", sign(text), packed.subarray(0, 20))).toBe(
      "body_malformed",
    );
  });
});

describe("a hash of the body in a signed header", () => {
  const scheme: Scheme = {
    kind: "mac",
    mac: "hmac",
    hash: "sha384",
    encoding: "base64",
    signature: {
      sources: [{ from: "header", name: "signature" }],
      format: { type: "pairs", itemSeparator: ",", keySeparator: "=", key: "signature" },
    },
    signed: {
      template: "(request-target): post {path}\ndate: {date}\ndigest: {digest}",
      values: { date: { from: "header", name: "date" } },
    },
    bodyDigest: { header: "digest", hash: "sha256", encoding: "base64", prefix: "sha-256=" },
    secret: { decode: "utf8" },
  };
  const date = "Tue, 14 Nov 2023 22:13:20 GMT";
  const sign = (digest: string, url = testUrl) => {
    const path = url.replace("https://hooks.example", "");
    const signedText = `(request-target): post ${path}\ndate: ${date}\ndigest: ${digest}`;
    const signature = createHmac("sha384", "s").update(signedText).digest("base64");
    const params = `keyId="k",algorithm="hs2019",headers="(request-target) date digest",signature="${signature}"`;
    return { date, digest, signature: params };
  };
  const sha256 = hash("sha256", text, "base64");

  it("is verified with the signature, and the body with it", () => {
    expect(outcome(scheme, "s", sign(`SHA-256=${sha256}`))).toBe("verified");
    expect(outcome(scheme, "s", sign(`unixsum=30637, sha-256=${sha256}`))).toBe("verified");
    expect(outcome(scheme, "s", sign(`SHA-256=${sha256}`), `${text} `)).toBe("body_mismatch");
    expect(outcome(scheme, "s", sign("SHA-256="))).toBe("body_mismatch");
    expect(outcome(scheme, "s", sign(`MD5=${hash("md5", text, "base64")}`))).toBe("body_mismatch");
    const { digest: _, ...without } = sign(`SHA-256=${sha256}`);
    expect(outcome(scheme, "s", without)).toBe("value_missing");
  });

  it("a hash that isn't signed counts for nothing", () => {
    const other = {
      ...sign(`SHA-256=${sha256}`),
      digest: `SHA-256=${hash("sha256", "x", "base64")}`,
    };
    expect(outcome(scheme, "s", other, "x")).toBe("signature_mismatch");
  });

  it("is signed for samples as the scheme says, with the suffix of RFC 9530", () => {
    const bodyDigest = {
      header: "content-digest",
      hash: "sha512",
      encoding: "base64",
      prefix: "sha-512=:",
      suffix: ":",
    } as const;
    const rfc9530: Scheme = { ...scheme, signed: { template: "{digest}" }, bodyDigest };
    const headers = signRequest(rfc9530, "s", { body: Buffer.from(text), timestampMs: nowMs });
    expect(headers["content-digest"]).toBe(`sha-512=:${hash("sha512", text, "base64")}:`);
    expect(outcome(rfc9530, "s", headers)).toBe("verified");
    expect(outcome(rfc9530, "s", headers, "")).toBe("body_mismatch");
  });
});

it("strava: the subscription id matches by its digits, and another id doesn't", () => {
  const verdict = (id: unknown) =>
    outcome(schemeOf("strava"), "120475", {}, JSON.stringify({ subscription_id: id }));
  expect([120_475, "120475", 120_476].map(verdict)).toEqual([
    "verified",
    "verified",
    "token_mismatch",
  ]);
});

it("recurly: while a key is replaced, one of its signatures is enough", () => {
  const mac = (key: string) => createHmac("sha256", key).update(`${nowMs}.${text}`).digest("hex");
  const send = (...keys: string[]) =>
    outcome(schemeOf("recurly"), "new", {
      "recurly-signature": [nowMs, ...keys.map(mac)].join(","),
    });
  expect([send("old", "new"), send("new", "old"), send("old"), send()]).toEqual([
    "verified",
    "verified",
    "signature_mismatch",
    "signature_malformed",
  ]);
});

it("qstash: the hash of the body may be padded, and the token is for this URL only", () => {
  const padded = hash("sha256", text, "base64").replaceAll("+", "-").replaceAll("/", "_");
  const send = (claims: object) => {
    const known = {
      iss: "Upstash",
      sub: testUrl,
      exp: nowMs / 1000 + 300,
      body: padded,
      ...claims,
    };
    const token = signJwt("HS256", createSecretKey(Buffer.from("sig_1")), known);
    return outcome(schemeOf("qstash"), "sig_1", { "upstash-signature": token });
  };
  expect(padded).toMatch(/=$/);
  expect([send({}), send({ body: padded.slice(0, -1) })]).toEqual(["verified", "verified"]);
  expect([send({ sub: `${testUrl}2` }), send({ body: `${padded}=` })]).toEqual([
    "claim_mismatch",
    "body_mismatch",
  ]);
});
