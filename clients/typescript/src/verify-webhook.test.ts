import { createHmac, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { listTimedCalls } from "../../../lib/worker/send/testing/timed-calls.ts";
import {
  listVerificationCalls,
  type SampleCall,
} from "../../../lib/worker/send/testing/verification-calls.ts";
import { type VerifyWebhookInput, verifyWebhook } from "./verify-webhook.ts";

const body =
  '{"id":"evt_1","type":"invoice.paid","timestamp":"2026-11-29T10:00:00Z","data":{"n":1}}';
const at = Date.UTC(2026, 10, 29, 10);
const key = randomBytes(24);
const secret = `whsec_${key.toString("base64")}`;
const other = `whsec_${randomBytes(24).toString("base64")}`;

/** Signed by the library of Standard Webhooks. */
function signed(by = secret, text = body, id = "evt_1", ms = at): Record<string, string> {
  return {
    "webhook-id": id,
    "webhook-timestamp": String(ms / 1_000),
    "webhook-signature": new Webhook(by).sign(id, new Date(ms), text),
  };
}

async function reasonOf(input: Partial<VerifyWebhookInput>): Promise<string> {
  try {
    await verifyWebhook({ body, headers: signed(), secrets: secret, now: at, ...input });
    return "accepted";
  } catch (error) {
    return String((error as { reason?: string }).reason ?? error);
  }
}

it("returns the event, whatever holds the headers and the body", async () => {
  const bytes = Buffer.from(body);
  const pooled = Buffer.concat([Buffer.from("xx"), bytes]).subarray(2);
  const upper = { "Webhook-Id": "evt_1" };
  const headers = [
    signed(),
    new Headers(signed()),
    { ...signed(), "webhook-id": undefined, ...upper },
    { ...signed(), "webhook-id": ["evt_1"] },
  ];
  for (const sent of [body, bytes, pooled, new Uint8Array(bytes), new Uint8Array(bytes).buffer])
    for (const given of headers)
      expect(
        await verifyWebhook({ body: sent, headers: given, secrets: [secret], now: at }),
      ).toEqual(JSON.parse(body));
});

const toInput = ({ id, timestamp, signature, body: sent, secret: by }: SampleCall) => ({
  body: sent,
  secrets: by,
  now: Date.now(),
  headers: Object.fromEntries(
    [
      ["webhook-id", id],
      ["webhook-timestamp", timestamp],
      ["webhook-signature", signature],
      ["acme-signature", signature],
    ].filter(([, value]) => value !== null),
  ) as Record<string, string>,
});

it("gives the same results as the documented code in seven languages", async () => {
  for (const { name, accepted, call } of listVerificationCalls())
    expect([name, await isSigned(toInput(call))]).toEqual([name, accepted]);
  for (const { name, accepted, call } of listTimedCalls())
    expect([name, await isSigned({ ...toInput(call), signatureHeader: "Acme-Signature" })]).toEqual(
      [name, accepted],
    );
});

/** Some of these bodies are no JSON: the signer sent no event. */
async function isSigned(input: VerifyWebhookInput): Promise<boolean> {
  const reason = await reasonOf(input);
  return reason === "accepted" || reason.startsWith("SyntaxError");
}

it("accepts the right signature as the last of several, and by the last of several secrets", async () => {
  const wrong = Array.from({ length: 9 }, () => `v1,${randomBytes(32).toString("base64")}`);
  const right = signed()["webhook-signature"] ?? "";
  const headers = { ...signed(), "webhook-signature": [...wrong, right].join(" ") };
  expect(await reasonOf({ headers, secrets: [other, other, secret] })).toBe("accepted");
});

it("verifies Ed25519 by a public key, and never takes one algorithm for the other", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  const secrets = `whpk_${raw.toString("base64")}`;
  const text = Buffer.from(`evt_1.${at / 1_000}.${body}`);
  const signature = sign(null, text, privateKey).toString("base64");
  const headers = { ...signed(), "webhook-signature": `v1a,${signature}` };
  expect(await reasonOf({ headers, secrets })).toBe("accepted");
  expect(await reasonOf({ headers, secrets: [secret, secrets] })).toBe("accepted");
  // Anyone with the public key could make this one.
  const forged = createHmac("sha256", raw).update(text).digest("base64");
  for (const version of ["v1", "v1a"]) {
    const made = { ...headers, "webhook-signature": `${version},${forged}` };
    expect(await reasonOf({ headers: made, secrets })).toBe("no_match");
  }
});

const signature = signed()["webhook-signature"] ?? "";
const without = (name: string) => {
  const { [name]: _, ...rest } = signed();
  return rest;
};
const withSignature = (text: string) => ({ headers: { ...signed(), "webhook-signature": text } });
const withTime = (text: string) => ({ headers: { ...signed(), "webhook-timestamp": text } });
const timed = (text: string) => ({ headers: { "x-a": text }, signatureHeader: "x-a" });

const bad: readonly [string, string, Partial<VerifyWebhookInput>][] = [
  ["no id", "no_header", { headers: without("webhook-id") }],
  ["no time", "no_header", { headers: without("webhook-timestamp") }],
  ["no signature", "no_header", { headers: without("webhook-signature") }],
  ["no headers at all", "no_header", { headers: {} }],
  ["empty Headers", "no_header", { headers: new Headers() }],
  ["an empty list as a header", "no_header", { headers: { ...signed(), "webhook-id": [] } }],
  ["an empty id", "no_header", { headers: { ...signed(), "webhook-id": "" } }],
  ["an empty time", "no_header", withTime("")],
  ["a word as time", "no_header", withTime("now")],
  ["a date as time", "no_header", withTime("2026-11-29T10:00:00Z")],
  ["a fraction as time", "no_header", withTime(`${at / 1_000}.5`)],
  ["a negative time", "no_header", withTime(`-${at / 1_000}`)],
  ["a time with a space", "no_header", withTime(` ${at / 1_000}`)],
  ["5,000 digits as time", "no_header", withTime("1".repeat(5_000))],
  ["milliseconds as time", "too_new", withTime(String(at).slice(0, 12))],
  ["301 s old", "too_old", { now: at + 301_000 }],
  ["301 s in the future", "too_new", { now: at - 301_000 }],
  ["11 s old with a tolerance of 10", "too_old", { now: at + 11_000, toleranceSeconds: 10 }],
  ["another body", "no_match", { body: body.replace("1", "2") }],
  ["a body with a space more", "no_match", { body: `${body} ` }],
  ["a body with a byte order mark", "no_match", { body: `\ufeff${body}` }],
  ["an empty body", "no_match", { body: "" }],
  ["another id", "no_match", { headers: { ...signed(), "webhook-id": "evt_2" } }],
  ["another time", "no_match", withTime(String(at / 1_000 + 1))],
  ["another secret", "no_match", { secrets: other }],
  ["signed by another secret", "no_match", { headers: signed(other) }],
  ["an empty signature", "no_match", withSignature("v1,")],
  ["a signature without its version", "no_match", withSignature(signature.slice(3))],
  ["another version", "no_match", withSignature(signature.replace("v1", "v2"))],
  ["a shorter signature", "no_match", withSignature(signature.slice(0, -8))],
  ["a longer signature", "no_match", withSignature(`${signature.slice(0, -1)}AAAA`)],
  ["base64url", "no_match", withSignature("v1,-_-_-_-_")],
  ["letters beyond ASCII", "no_match", withSignature("v1,é☃")],
  ["commas between signatures", "no_match", withSignature(`v1,AAAA,${signature}`)],
  [
    "more signatures than are ever sent",
    "no_match",
    withSignature(`${"v1,AAAA ".repeat(50)}${signature}`),
  ],
  ["a parsed body", "not_bytes", { body: JSON.parse(body) }],
  ["a body that is null", "not_bytes", { body: null as never }],
  ["a body that is missing", "not_bytes", { body: undefined as never }],
  ["a list of bytes", "not_bytes", { body: [...Buffer.from(body)] as never }],
  ["the one header without a time", "no_header", timed("v1=00")],
  ["the one header without a signature", "no_header", timed(`t=${at / 1_000}`)],
  ["the one header with nothing right", "no_match", timed(`t=${at / 1_000},v1=00`)],
  ["the one header with a hash of another version", "no_match", timed(`t=${at / 1_000},v0=00`)],
];

it.each(bad)("rejects %s: %s", async (_name, reason, input) => {
  expect(await reasonOf(input)).toBe(reason);
});

it.each([
  ["no secret", []],
  ["an empty secret", ""],
  ["only the prefix", "whsec_"],
  ["what isn't base64", "whsec_é"],
  ["base64 of a wrong length", "whsec_AAAAA"],
  ["a public key of 31 bytes", `whpk_${Buffer.alloc(31, 1).toString("base64")}`],
])("throws a TypeError for %s", async (_name, secrets) => {
  await expect(verifyWebhook({ body, headers: signed(), secrets, now: at })).rejects.toThrow(
    TypeError,
  );
});
