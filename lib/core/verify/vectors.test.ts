import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { hashPayfastForm } from "#lib/core/providers/payfast.ts";
import { buildHandshakeResponse } from "#lib/core/verify/handshake/handshake-response.ts";
import { computeHmac, toKeys } from "./scheme/code-mac.ts";
import { flipBit, requestOf } from "./testing/test-request.ts";
import vectorFile from "./vectors.json" with { type: "json" };
import { verifySignature } from "./verify.ts";

type Vector = {
  provider: string;
  name: string;
  source: string;
  secret?: string;
  public_key?: string;
  headers: Record<string, string | undefined>;
  body: string;
  at?: string;
  url?: string;
  method?: string;
  valid?: boolean;
};

const vectors: Vector[] = vectorFile.vectors;

/** The vectors have no version header, which the catalog requires so that v1 isn't taken for v2. */
const withVersion: Record<string, string> = { "hubspot-v1": "v1", "hubspot-v2": "v2" };

function verify(vector: Vector, body: string | Uint8Array = vector.body) {
  const {
    provider,
    secret = "",
    public_key: publicKey,
    headers,
    at,
    url = "",
    method = "POST",
  } = vector;
  const version = withVersion[provider];
  const all =
    version === undefined ? headers : { ...headers, "x-hubspot-signature-version": version };
  const known = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return verifySignature({
    name: provider,
    scheme: findProvider(provider)?.scheme,
    secrets: [publicKey ?? secret],
    request: requestOf(Object.fromEntries(known), body, {
      url,
      method,
      query: url.split("?")[1] ?? "",
    }),
    nowMs: at === undefined ? 0 : Date.parse(at),
  });
}

function signsBody({ provider }: Vector): boolean {
  const scheme = findProvider(provider)?.scheme;
  return scheme?.kind !== "code" || scheme.bodyNotSigned !== true;
}

const accepted = vectors.filter((vector) => vector.valid !== false);

describe("published vectors", () => {
  it.each(accepted)("$provider: $name is accepted", (vector) => {
    expect(verify(vector)).toEqual({ outcome: "verified", scheme: vector.provider });
  });

  it.each(accepted.filter(signsBody))(
    "$provider: $name with one bit of the body flipped is rejected",
    (vector) => {
      const body = Buffer.from(vector.body);
      const altered = flipBit(body, Math.max(0, body.length * 8 - 1));
      expect(verify(vector, altered)).toMatchObject({
        outcome: "failed",
        reason: "signature_mismatch",
      });
    },
  );

  it.each(vectors.filter((vector) => vector.valid === false))(
    "$provider: $name is rejected",
    (vector) => {
      expect(verify(vector).outcome).toBe("failed");
    },
  );

  it("an ed25519 signature (v1a) never passes as v1, not even with the public key as the secret", () => {
    const vector = vectors.find((candidate) => candidate.provider.includes("ed25519"));
    const secret = vector?.public_key?.replace("whpk_", "whsec_");
    if (vector === undefined || secret === undefined) throw new Error("the v1a vector is gone");
    const { public_key: _key, ...rest } = vector;
    expect(verify({ ...rest, provider: "standard-webhooks", secret })).toMatchObject({
      reason: "signature_malformed",
    });
  });
});

const require = createRequire(import.meta.url);

/** Vectors without a complete delivery. */
describe("published vectors of parts", () => {
  const secret = "DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00";

  it("adyen: REPORT_AVAILABLE item is accepted, and with any of its eight fields changed it is rejected", () => {
    const item = {
      pspReference: "pspReference",
      originalReference: "originalReference",
      merchantAccountCode: "merchantAccount",
      merchantReference: "reference",
      amount: { value: 1000, currency: "EUR" },
      eventCode: "REPORT_AVAILABLE",
      success: "true",
      additionalData: { hmacSignature: "ZNBPtI+oDyyRrLyD1XirkKnQgIAlFc07Vj27TeHsDRE=" },
    };
    const verifyItem = (changed: object) =>
      verifySignature({
        scheme: findProvider("adyen")?.scheme,
        secrets: [secret],
        request: requestOf(
          {},
          JSON.stringify({
            notificationItems: [{ NotificationRequestItem: { ...item, ...changed } }],
          }),
        ),
        nowMs: 0,
      });
    expect(verifyItem({})).toMatchObject({ outcome: "verified" });
    const changes = [
      ...[
        "pspReference",
        "originalReference",
        "merchantAccountCode",
        "merchantReference",
        "eventCode",
      ],
      "success",
    ].map((name) => ({ [name]: "other" }));
    const amounts = [
      { amount: { value: 1001, currency: "EUR" } },
      { amount: { value: 1000, currency: "USD" } },
    ];
    for (const change of [...changes, ...amounts, { amount: null }]) {
      expect(verifyItem(change)).toMatchObject({ reason: "signature_mismatch" });
    }
  });

  it("adyen: the MAC of a text with escaped colons is the published one", () => {
    const [key] = toKeys([secret], (text) => Buffer.from(text, "hex")) ?? [];
    if (key === undefined) throw new Error("no key");
    const text =
      "countryCode:currencyCode:merchantAccount:merchantReference:paymentAmount:sessionValidity:" +
      "skinCode:NL:EUR:MagentoMerchantTest2:TEST-PAYMENT-2017-02-01-14\\:02\\:05:199:" +
      "2017-02-02T14\\:02\\:05+01\\:00:PKz2KML1";
    expect(computeHmac("sha256", key, text).toString("base64")).toBe(
      "34oR8T1whkQWTv9P+SzKyp8zhusf9n0dpqrm9nsqSJs=",
    );
  });

  /** Payfast/payfast-php-sdk, tests/PaymentIntegrations/NotificationTest.php. */
  it("payfast: the notification of its package has the published signature, without a passphrase", () => {
    const empty = ["str1", "str2", "str3", "str4", "str5", "int1", "int2", "int3", "int4", "int5"];
    const fields = Object.entries({
      m_payment_id: "000000020",
      pf_payment_id: "1579137",
      payment_status: "COMPLETE",
      item_name: "Order #000000020",
      item_description: "",
      amount_gross: "15.00",
      amount_fee: "-2.30",
      amount_net: "12.70",
      ...Object.fromEntries(empty.map((name) => [`custom_${name}`, ""])),
      name_first: "Tom",
      name_last: "Tom",
      email_address: "lindley+user1@appinlet.com",
      merchant_id: "10027938",
    });
    expect(hashPayfastForm(fields, "").toString("hex")).toBe("4078bca2c8987e0e0c4e7230f2f46323");
  });

  it("ebay: the challenge gets the published response, as from eBay's own package", () => {
    const code = "71745723-d031-455c-bfa5-f90d11b4f20a";
    const endpoint = "http://www.testendpoint.com/webhook";
    const [handshake] = findProvider("ebay")?.handshakes ?? [];
    if (handshake === undefined) throw new Error("no handshake");
    const request = { method: "GET", query: `challenge_code=${code}`, headers: {}, payload: null };
    const outcome = buildHandshakeResponse(handshake, request, {
      verifyToken: code,
      catchUrl: endpoint,
      key: null,
    });
    const expected = "048de9ffd0e35021fefc0388d5c52e0f475324f582f3778ca81a53354ccbbc97";
    expect(outcome).toMatchObject({
      response: { body: JSON.stringify({ challengeResponse: expected }) },
    });
    const ebay = require("event-notification-nodejs-sdk");
    expect(ebay.validateEndpoint(code, { verificationToken: code, endpoint })).toBe(expected);
  });
});
