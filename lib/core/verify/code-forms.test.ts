/** Forms of signatures that code schemes accept besides that of our samples, and forged ones. */
import { createHash, createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isKeyUrlAllowed } from "./scheme/signing-key.ts";
import { schemeOf } from "./testing/scheme-of.ts";
import { requestOf } from "./testing/test-request.ts";
import { sampleKeys, sampleRequest, sampleSecret } from "./testing/test-sample.ts";
import { prepareVerifier } from "./verify.ts";

const nowMs = 1_700_000_000_000;
const secret = "s3cret";
const body = '{"id":"evt_1"}';
const mac = createHmac("sha256", secret).update(body).digest();

function outcome(id: string, headers: Record<string, string>, text: string = body) {
  const verify = prepareVerifier({ scheme: schemeOf(id), secrets: [secret] });
  const verdict = verify(requestOf(headers, text), nowMs, sampleKeys);
  return verdict.outcome === "failed" ? verdict.reason : verdict.outcome;
}

describe("encodings that a provider leaves open", () => {
  it.each([
    ["shopline", "x-shopline-hmac-sha256", mac.toString("hex")],
    ["shopline", "x-shopline-hmac-sha256", mac.toString("base64")],
    ["merge", "x-merge-webhook-signature", mac.toString("base64url")],
    ["merge", "x-merge-webhook-signature", `${mac.toString("base64url")}=`],
    ["worldpay", "event-signature", `1/SHA256/${mac.toString("hex")}`],
    ["worldpay", "event-signature", `1/SHA256/${mac.toString("base64")}`],
    ["worldpay", "event-signature", `1/SHA256/${"0".repeat(64)}, 2/SHA256/${mac.toString("hex")}`],
  ])("%s: %s accepts %s for these bytes alone", (id, header, value) => {
    expect(outcome(id, { [header]: value })).toBe("verified");
    expect(outcome(id, { [header]: value }, `${body} `)).toBe("signature_mismatch");
  });

  it.each([
    ["two signatures by one key", `1/SHA256/${"0".repeat(64)},1/SHA256/${mac.toString("hex")}`],
    ["another hash", `1/SHA1/${mac.toString("hex")}`],
    ["no number of a key", `/SHA256/${mac.toString("hex")}`],
    ["eleven keys", Array.from({ length: 11 }, (_, at) => `${at}/SHA256/${"0".repeat(64)}`).join()],
  ])("worldpay: %s is malformed", (_, value) => {
    expect(outcome("worldpay", { "event-signature": value })).toBe("signature_malformed");
  });
});

describe("midtrans", () => {
  const order = { order_id: "order-1", status_code: "200", gross_amount: "5000.00" };
  const hash = createHash("sha512")
    .update(Object.values(order).join("") + secret)
    .digest("hex");
  const check = (fields: object) =>
    outcome("midtrans", {}, JSON.stringify({ ...order, signature_key: hash, ...fields }));

  it.each([
    ["as sent", {}, "verified"],
    ["with other fields, which aren't signed", { transaction_status: "settlement" }, "verified"],
    ["with another amount", { gross_amount: "5000.01" }, "signature_mismatch"],
    ["without an amount", { gross_amount: undefined }, "value_missing"],
    // All of these have the hash of the order above.
    [
      "with digits of the code in the order",
      { order_id: "order-12", status_code: "005", gross_amount: "000.00" },
      "value_malformed",
    ],
    [
      "with the code in the order",
      { order_id: "order-1200", status_code: "500", gross_amount: "0.00" },
      "value_malformed",
    ],
    [
      "with the code in the amount",
      { order_id: "order-", status_code: "120", gross_amount: "05000.00" },
      "value_malformed",
    ],
    [
      "with an empty order",
      { order_id: "", status_code: "order-1", gross_amount: "2005000.00" },
      "value_malformed",
    ],
    [
      "with the amount in the order",
      { order_id: "order-12005000.00", status_code: "", gross_amount: "" },
      "value_malformed",
    ],
    ["with a number", { status_code: 200 }, "value_malformed"],
  ])("a notification %s is %s", (_what, fields, expected) => {
    expect(check(fields)).toBe(expected);
  });
});

describe("payfast", () => {
  const scheme = schemeOf("payfast");
  const signed = sampleRequest(scheme, secret, nowMs);
  const form = Buffer.from(signed.body).toString("utf8");
  const [, signature = ""] = form.split("&signature=");

  it.each([
    ["a field after the signature", `${form}&payment_status=COMPLETE`, "signature_missing"],
    ["a second signature", `signature=${signature}&${form}`, "signature_missing"],
    // Signed as "a=1&b=2", like two fields.
    ["a name that holds two fields", form.replace("To=", "a%3D1%26To="), "signature_missing"],
    ["an added backslash", form.replace("To=", "To=%5C"), "signature_mismatch"],
  ])("rejects %s", (_, text, reason) => {
    expect(outcome("payfast", {}, form)).toBe("verified");
    expect(outcome("payfast", {}, text)).toBe(reason);
  });
});

describe("fireblocks", () => {
  const scheme = schemeOf("fireblocks");
  const header = "fireblocks-webhook-signature";
  const request = sampleRequest(scheme, sampleSecret(scheme, "fireblocks").signing, nowMs);
  const text = Buffer.from(request.body).toString("utf8");
  const [, tail = ""] = (request.headers[header]?.[0] ?? "").split("..");

  it.each([
    { alg: "RS256", kid: "sample-key" },
    { alg: "none", kid: "sample-key" },
    { alg: "HS512", kid: "sample-key" },
    { alg: "RS512" },
    { alg: "RS512", kid: "sample-key", crit: ["b64"], b64: false },
  ])("rejects the header %j", (head) => {
    const encoded = Buffer.from(JSON.stringify(head)).toString("base64url");
    expect(outcome("fireblocks", { [header]: `${encoded}..${tail}` }, text)).toBe(
      "signature_malformed",
    );
  });

  it("fetches keys from its four environments only", () => {
    const hosts = ["keys", "eu-keys", "eu2-keys", "sandbox-keys", "evil-keys", "keys.evil"];
    const allowed = hosts.filter((host) =>
      isKeyUrlAllowed(`https://${host}.fireblocks.io/.well-known/jwks.json`),
    );
    expect(allowed).toEqual(["keys", "eu-keys", "eu2-keys", "sandbox-keys"]);
  });
});
