import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hookVerificationSchema, verificationSchema } from "./verification.ts";
import { splitTemplate } from "./verification-checks.ts";

const minimal = {
  kind: "mac",
  mac: "hmac",
  hash: "sha256",
  encoding: "hex",
  signature: { sources: [{ from: "header", name: "X-Signature" }], format: { type: "bare" } },
  signed: { template: "{body}" },
  secret: { decode: "utf8" },
} as const;

const { mac: _mac, hash: _hash, ...signed } = minimal;
const publicKey = { ...signed, kind: "publicKey", algorithm: "ed25519", secret: { decode: "hex" } };
const pairs = { type: "pairs", itemSeparator: ",", keySeparator: "=", key: "v1" };
const time = {
  source: { from: "header", name: "x-time" },
  unit: "s",
  pastSeconds: 300,
  futureSeconds: 300,
};

/** "path: message" of every problem. */
function problems(value: unknown): string[] {
  const result = verificationSchema.safeParse(value);
  return result.success
    ? []
    : result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

describe("a custom verification", () => {
  it.each([
    [minimal],
    [{ ...minimal, signed: { template: "{timestamp}.{body}" }, timestamp: time }],
    [{ ...minimal, mac: "digest", signed: { template: "{body}{secret}" } }],
    [{ ...minimal, timestamp: { ...time, source: { from: "body", path: "sent.at" } } }],
    [{ kind: "token", source: { from: "header", name: "x-token" } }],
    [{ kind: "token", source: { from: "query", name: "key" } }],
    [{ kind: "token", source: { from: "body", path: "passcode" } }],
    [{ ...minimal, signed: { template: "{url}{form}" } }],
    [{ ...minimal, signed: { template: "{timestamp}:{sha256(body)}" }, timestamp: time }],
    [{ ...minimal, signed: { template: "{sha512(body)}", gunzip: true } }],
    [
      {
        ...minimal,
        timestamp: { ...time, source: { from: "body", path: "at" }, pastSeconds: 259_200 },
      },
    ],
    [{ ...minimal, secret: { decode: "base64url" } }],
    [
      {
        ...minimal,
        signature: { ...minimal.signature, format: { ...pairs, groupSeparator: " " } },
      },
    ],
    [{ ...minimal, secret: { decode: "utf8", normalize: "nfkd" } }],
    [publicKey],
    [{ kind: "basic" }],
    [{ kind: "bearer" }],
  ])("is accepted: %j", (value) => {
    expect(problems(value)).toEqual([]);
  });

  it("has its header names in lowercase, as they arrive", () => {
    expect(verificationSchema.parse(minimal)).toMatchObject({
      signature: { sources: [{ from: "header", name: "x-signature" }] },
    });
  });

  it.each([
    [null, "must be an object"],
    [{}, 'kind: must be "mac"'],
    [{ kind: "none" }, 'kind: must be "mac"'],
    [{ ...minimal, extra: 1 }, "extra"],
    [{ ...minimal, hash: "crc32" }, 'hash: must be "md5"'],
    [
      { ...minimal, signature: { ...minimal.signature, sources: [] } },
      "signature.sources: must name",
    ],
    [
      {
        ...minimal,
        signature: { ...minimal.signature, sources: [{ from: "header", name: "a b" }] },
      },
      "not a header name",
    ],
    [
      { ...minimal, signature: { ...minimal.signature, sources: [{ from: "part", key: "t" }] } },
      "signature.sources.0.from",
    ],
    [
      { ...minimal, signature: { ...minimal.signature, format: { type: "prefixed", prefix: "" } } },
      "must not be empty",
    ],
    [
      { ...minimal, signature: { ...minimal.signature, format: { ...pairs, itemSeparator: "" } } },
      "itemSeparator",
    ],
    [
      { ...minimal, signature: { ...minimal.signature, format: { ...pairs, itemSeparator: "a" } } },
      "can contain",
    ],
    [
      { ...minimal, signature: { ...minimal.signature, format: { ...pairs, itemSeparator: "=" } } },
      "ends base64",
    ],
    [
      { ...minimal, signature: { ...minimal.signature, format: { ...pairs, keySeparator: "," } } },
      "must differ",
    ],
    [
      { ...minimal, signature: { ...minimal.signature, format: { ...pairs, key: "v=1" } } },
      "contain a separator",
    ],
    [{ ...minimal, signed: { template: "constant" } }, "signed.template: must contain {body}"],
    [
      { ...minimal, signed: { template: "{url}", bodyNotSigned: true } },
      "differs between requests",
    ],
    [{ ...minimal, signed: { template: "{body}", bodyNotSigned: true } }, "signed.bodyNotSigned"],
    [{ ...minimal, signed: { template: "{nonce}{body}" } }, "{nonce} is not known: use {body}"],
    [{ ...minimal, signed: { template: "{md5(body)}" } }, "{md5(body)} is not known"],
    [{ ...minimal, signed: { template: "{sha256(url)}" } }, "has a brace"],
    [
      { ...minimal, signed: { template: "{sha256(body)}", bodyNotSigned: true } },
      "can't be combined with {body}, its hash",
    ],
    [{ ...minimal, signed: { template: "{body}}" } }, "has a brace"],
    [{ ...minimal, signed: { template: "{ body }" } }, "has a brace"],
    [{ ...minimal, signed: { template: "{body}é" } }, "printable ASCII"],
    [{ ...minimal, signed: { template: "x".repeat(501) } }, "at most 500"],
    [{ ...minimal, signed: { template: "{secret}{body}" } }, "{secret} is only for a digest"],
    [{ ...minimal, mac: "digest" }, "must contain {secret}"],
    [
      { ...minimal, signed: { template: "{body}", values: { id: time.source } } },
      "{id} does not occur",
    ],
    [{ ...minimal, signed: { template: "{body}", values: { body: time.source } } }, "built-in"],
    [{ ...minimal, signed: { template: "{timestamp}{body}" } }, "timestamp: must say where"],
    [{ ...minimal, timestamp: time }, "timestamp: is not signed"],
    [
      {
        ...minimal,
        signed: { template: "{timestamp}{body}" },
        timestamp: { ...time, source: { from: "part", key: "t" } },
      },
      'timestamp.source: "part" needs',
    ],
    [
      {
        ...minimal,
        signed: { template: "{timestamp}{body}" },
        timestamp: { ...time, pastSeconds: 0 },
      },
      "at least 1 s",
    ],
    [
      {
        ...minimal,
        signed: { template: "{timestamp}{body}" },
        timestamp: { ...time, pastSeconds: 1e9 },
      },
      "at most 2592000 s (30 days)",
    ],
    [
      {
        ...minimal,
        signed: { template: "{timestamp}{body}" },
        timestamp: { ...time, futureSeconds: -1 },
      },
      "at least 0 s",
    ],
    [{ ...minimal, secret: { decode: "utf8", prefixRequired: true } }, "needs stripPrefix"],
    [{ ...minimal, secret: { decode: "utf8", orText: true } }, "needs a MAC, and decode"],
    [{ kind: "token", source: { from: "form", name: "a" } }, "source.from"],
    [{ kind: "token", source: { from: "body", path: "a..b" } }, "source"],
    [{ ...publicKey, secret: { decode: "utf8" } }, "secret.decode: must be"],
    [{ ...publicKey, algorithm: "rsa-sha1" }, "algorithm: must be"],
    [{ ...publicKey, signed: { template: "{secret}{body}" } }, "{secret} is only for a digest"],
    [{ ...minimal, signed: { template: "{form}", bodyNotSigned: true } }, "signed.bodyNotSigned"],
    [
      {
        ...minimal,
        signature: { ...minimal.signature, format: { ...pairs, groupSeparator: "," } },
      },
      "groupSeparator: must differ",
    ],
    [{ kind: "basic", user: "x" }, "user"],
  ])("is refused with a path and words: %j", (value, expected) => {
    expect(problems(value).join("\n")).toContain(expected);
  });
});

it("a template is split into constant text and variables", () => {
  expect(splitTemplate("v0:{timestamp}:{body}")).toEqual([
    "v0:",
    { variable: "timestamp" },
    ":",
    { variable: "body" },
  ]);
  expect(splitTemplate("")).toEqual([]);
  expect(splitTemplate("{}")).toBeNull();
});

describe("a hook's verification", () => {
  const check = (value: unknown) => {
    const result = hookVerificationSchema.safeParse(value);
    return result.success
      ? result.data
      : result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  };

  it("is a scheme, or the settings of a provider in the catalog", () => {
    expect(check({ kind: "bearer" })).toEqual({ kind: "bearer" });
    expect(check({ settings: { webhookId: "8PT597110X687430LKGECATA" } })).toEqual({
      settings: { webhookId: "8PT597110X687430LKGECATA" },
    });
  });

  it.each([
    [5, ": must be an object"],
    [{ kind: "x" }, 'kind: must be "mac", "publicKey", "jwt", "token", "basic" or "bearer"'],
    [{ settings: 5 }, "settings: must be an object of names and values"],
    [{ settings: { a: 1 } }, "settings.a: must be text"],
    [{ settings: { a: "" } }, "settings.a: must not be empty"],
    [{ settings: { a: "x".repeat(501) } }, "settings.a: must have at most 500 characters"],
    [{ settings: { a: "x\u0000" } }, "settings.a: must not contain NUL characters"],
    [
      { settings: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`a${n}`, "x"])) },
      "settings: has at most 10 values",
    ],
  ])("%j is rejected, with the place and what to change", (value, problem) => {
    expect(check(value)).toEqual([problem]);
  });
});

const docs = readFileSync(new URL("../../../docs/custom-verification.md", import.meta.url), "utf8");

it("every example in docs/custom-verification.md is a valid verification", () => {
  const examples = [...docs.matchAll(/```json\n([\s\S]+?)```/g)].map(([, text = ""]): unknown =>
    JSON.parse(text),
  );
  expect(examples).toHaveLength(3);
  for (const example of examples)
    expect(verificationSchema.safeParse(example).error).toBeUndefined();
});

it("the handshakes of LinkedIn, Strava, RingCentral, and Adobe Sign are those in the docs", () => {
  const rows = [...docs.matchAll(/^\| (\w[\w ]+) \| `(\[\{.+?\}\])` \|/gm)];
  expect(rows.map(([, name]) => name)).toEqual(["LinkedIn", "Strava", "RingCentral", "Adobe Sign"]);
  const mac = JSON.parse(/```json\n([\s\S]+?)```/.exec(docs)?.[1] ?? "");
  for (const [, , handshakes = ""] of rows)
    expect(
      verificationSchema.safeParse({ ...mac, handshakes: JSON.parse(handshakes) }).error,
    ).toBeUndefined();
});
