/**
 * Headers as sent by attackers and broken proxies: rejected with a reason, never with an exception,
 * and quickly.
 */
import { describe, expect, it } from "vitest";
import { fastestMs, quicklyMs } from "#lib/base/testing/processor-time.ts";
import { findProvider, listProviders } from "#lib/core/providers/catalog/catalog.ts";
import { describeVerifyFailure } from "./scheme/failure.ts";
import { takesSecret } from "./scheme/missing-parts.ts";
import type { VerifyRequest } from "./scheme/request-view.ts";
import { signRequest } from "./sign.ts";
import { spoilHeaders } from "./testing/test-malformed.ts";
import { requestOf } from "./testing/test-request.ts";
import { sampleKeys, sampleRequest, sampleSecret, sampleSettings } from "./testing/test-sample.ts";
import { prepareVerifier } from "./verify.ts";

const nowMs = 1_700_000_000_000;
const sent = "1700000000";
const whsec = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const body = Buffer.from('{"id":"evt_1"}');

type Case = readonly [
  title: string,
  change: (headers: Record<string, string>) => Changed,
  reason: string,
];
type Changed = Record<string, string | readonly string[] | undefined>;

function run(id: string, secret: string, change: Case[1]) {
  const scheme = findProvider(id)?.scheme;
  if (scheme === undefined) throw new Error(`no provider ${id}`);
  const good = signRequest(scheme, secret, { body, timestampMs: nowMs, id: "msg_1" });
  const changed = Object.entries({ ...good, ...change(good) }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const verify = prepareVerifier({ name: id, scheme, secrets: [secret] });
  const request = requestOf(Object.fromEntries(changed), body);

  expect(fastestMs(() => verify(request, nowMs))).toBeLessThan(quicklyMs);
  return verify(request, nowMs);
}

function check(id: string, secret: string, cases: readonly Case[]) {
  it("the unchanged request is verified", () => {
    expect(run(id, secret, () => ({})).outcome).toBe("verified");
  });
  it.each(cases)("%s", (_title, change, reason) => {
    const verdict = run(id, secret, change);
    expect(verdict).toMatchObject({ outcome: "failed", reason });
    if (verdict.outcome !== "failed") return;
    expect(describeVerifyFailure(verdict.reason, verdict)).not.toContain(secret);
  });
}

describe("stripe", () => {
  const name = "stripe-signature";
  const set = (value: string | readonly string[] | undefined) => ({ [name]: value });
  const hex = (headers: Record<string, string>) => (headers[name] ?? "").split("v1=")[1] ?? "";
  check("stripe", whsec, [
    ["no header", () => set(undefined), "signature_missing"],
    ["an empty header", () => set(""), "signature_missing"],
    ["white space", () => set("   "), "signature_malformed"],
    ["only a timestamp", () => set(`t=${sent}`), "signature_malformed"],
    ["an empty signature", () => set(`t=${sent},v1=`), "signature_malformed"],
    ["no timestamp", (good) => set(`v1=${hex(good)}`), "timestamp_missing"],
    ["an empty timestamp", (good) => set(`t=,v1=${hex(good)}`), "timestamp_missing"],
    [
      "a prefix of the right one",
      (good) => set(`t=${sent},v1=${hex(good).slice(0, 62)}`),
      "signature_malformed",
    ],
    [
      "one digit too few",
      (good) => set(`t=${sent},v1=${hex(good).slice(0, 63)}`),
      "signature_malformed",
    ],
    [
      "the right one plus a suffix",
      (good) => set(`t=${sent},v1=${hex(good)}00`),
      "signature_malformed",
    ],
    ["not hex", () => set(`t=${sent},v1=${"zz".repeat(32)}`), "signature_malformed"],
    [
      "hex with junk in it",
      (good) => set(`t=${sent},v1=${hex(good).slice(0, 62)}zz`),
      "signature_malformed",
    ],
    ["the decoy v0 alone", (good) => set(`t=${sent},v0=${hex(good)}`), "signature_malformed"],
    ["a wrong signature", () => set(`t=${sent},v1=${"00".repeat(32)}`), "signature_mismatch"],
    ["two headers", (good) => set([good[name] ?? "", good[name] ?? ""]), "header_repeated"],
    ["two timestamps", (good) => set(`t=${sent},t=${sent},v1=${hex(good)}`), "header_repeated"],
    [
      "10,000 signatures",
      () => set(`t=${sent}${`,v1=${"00".repeat(32)}`.repeat(10_000)}`),
      "too_many_signatures",
    ],
    [
      "the right one after ten others",
      (good) => set(`t=${sent}${`,v1=${"00".repeat(32)}`.repeat(10)},v1=${hex(good)}`),
      "too_many_signatures",
    ],
    ["10,000 unknown keys", () => set(",x=1".repeat(10_000)), "signature_malformed"],
    [
      "a megabyte of signature",
      () => set(`t=${sent},v1=${"0".repeat(1_000_000)}`),
      "signature_malformed",
    ],
    ...[
      "123abc",
      "1e10",
      "Infinity",
      "NaN",
      "-1",
      "+1",
      "1.5",
      "0x10",
      " 1",
      "01",
      "0",
      `${sent}abc`,
    ].map(
      (time): Case => [
        `the timestamp ${time}`,
        (good) => set(`t=${time},v1=${hex(good)}`),
        "timestamp_malformed",
      ],
    ),
    ["another timestamp", (good) => set(`t=1700000001,v1=${hex(good)}`), "signature_mismatch"],
  ]);
});

describe("standard webhooks", () => {
  const name = "webhook-signature";
  const b64 = (headers: Record<string, string>) => (headers[name] ?? "").slice(3);
  /** The last character before "=" has two unused bits. */
  const respell = (text: string) => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    return `${text.slice(0, 42)}${alphabet[alphabet.indexOf(text.charAt(42)) + 1]}=`;
  };
  check("standard-webhooks", whsec, [
    ["an empty signature", () => ({ [name]: "v1," }), "signature_malformed"],
    ["no version", (good) => ({ [name]: b64(good) }), "signature_malformed"],
    ["only spaces", () => ({ [name]: " ".repeat(10_000) }), "signature_malformed"],
    ["another version", (good) => ({ [name]: `v2,${b64(good)}` }), "signature_malformed"],
    ["the version v1a", (good) => ({ [name]: `v1a,${b64(good)}` }), "signature_malformed"],
    [
      "non-canonical base64 of the right bytes",
      (good) => ({ [name]: `v1,${respell(b64(good))}` }),
      "signature_malformed",
    ],
    [
      "base64 without padding",
      (good) => ({ [name]: `v1,${b64(good).slice(0, -1)}` }),
      "signature_malformed",
    ],
    [
      "base64 with a line break",
      (good) => ({ [name]: `v1,${b64(good)}\n` }),
      "signature_malformed",
    ],
    [
      "a prefix of the right one",
      (good) => ({ [name]: `v1,${b64(good).slice(0, 8)}` }),
      "signature_malformed",
    ],
    [
      "the right one plus a suffix",
      (good) => ({ [name]: `v1,${b64(good)}AAAA` }),
      "signature_malformed",
    ],
    [
      "10,000 signatures",
      (good) => ({ [name]: "v1,AAAA ".repeat(10_000) + good[name] }),
      "too_many_signatures",
    ],
    ["no id", () => ({ "webhook-id": undefined }), "id_missing"],
    ["two ids", () => ({ "webhook-id": ["msg_1", "msg_1"] }), "header_repeated"],
    ["an id with a dot", () => ({ "webhook-id": "msg.1" }), "id_malformed"],
    ["an id with a line break", () => ({ "webhook-id": "msg\n1" }), "id_malformed"],
    ["an id of 12 KB", () => ({ "webhook-id": "a".repeat(12_288) }), "id_malformed"],
    ["another id", () => ({ "webhook-id": "msg_2" }), "signature_mismatch"],
    ["no timestamp", () => ({ "webhook-timestamp": undefined }), "timestamp_missing"],
    [
      "letters behind the timestamp",
      () => ({ "webhook-timestamp": `${sent}abc` }),
      "timestamp_malformed",
    ],
    ["two timestamps", () => ({ "webhook-timestamp": [sent, sent] }), "header_repeated"],
  ]);
});

describe("github", () => {
  const name = "x-hub-signature-256";
  check("github", "s3cret", [
    ["no prefix", (good) => ({ [name]: good[name]?.slice(7) }), "signature_malformed"],
    [
      "another prefix",
      (good) => ({ [name]: good[name]?.replace("sha256", "sha1") }),
      "signature_malformed",
    ],
    ["only the prefix", () => ({ [name]: "sha256=" }), "signature_malformed"],
    [
      "the legacy header alone",
      () => ({ [name]: undefined, "x-hub-signature": "sha1=00" }),
      "signature_missing",
    ],
  ]);
});

describe("basic authentication", () => {
  check("basic-auth", "user:p:ä", [
    ["no header", () => ({ authorization: undefined }), "token_missing"],
    ["another scheme", () => ({ authorization: "Bearer user:p:ä" }), "token_malformed"],
    ["no credentials", () => ({ authorization: "Basic " }), "token_malformed"],
    ["not base64", () => ({ authorization: "Basic user:p" }), "token_malformed"],
    [
      "two headers",
      (good) => ({ authorization: [good.authorization ?? "", "Basic x"] }),
      "header_repeated",
    ],
    ["another password", () => ({ authorization: `Basic ${btoa("user:q")}` }), "token_mismatch"],
  ]);
});

describe("bearer and shared tokens", () => {
  check("bearer", "t0ken", [
    ["no scheme", () => ({ authorization: "t0ken" }), "token_malformed"],
    ["a longer token", () => ({ authorization: "Bearer t0ken1" }), "token_mismatch"],
    ["a shorter token", () => ({ authorization: "Bearer t0ke" }), "token_mismatch"],
  ]);
  check("gitlab", "t0ken", [
    ["an empty token", () => ({ "x-gitlab-token": "" }), "token_missing"],
    ["another token", () => ({ "x-gitlab-token": "T0ken" }), "token_mismatch"],
    ["two tokens", () => ({ "x-gitlab-token": ["t0ken", "t0ken"] }), "header_repeated"],
  ]);
});

describe.each(listProviders())("$id", ({ id, scheme }) => {
  it("no damaged request passes, throws, or takes 5 ms", () => {
    const secret = sampleSecret(scheme, id);
    const request = sampleRequest(scheme, secret.signing, nowMs);
    const secrets = takesSecret(scheme) ? [secret.pasted] : [];
    const prepared = prepareVerifier({ scheme, secrets, settings: sampleSettings(scheme) });
    const verify = (sent: VerifyRequest) => prepared(sent, nowMs, sampleKeys).outcome;
    expect(verify(request)).toBe("verified");
    for (const [title, headers] of spoilHeaders(scheme, request)) {
      const tookMs = fastestMs(() => {
        expect([title, verify({ ...request, headers })]).toEqual([title, "failed"]);
      });
      expect([title, tookMs < 5]).toEqual([title, true]);
    }
  });
});
