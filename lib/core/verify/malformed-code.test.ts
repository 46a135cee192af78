/**
 * Deliveries of code schemes as changed by attackers and broken proxies: rejected with a reason,
 * never with an exception, and quickly.
 */
import { describe, expect, it } from "vitest";
import { fastestMs, quicklyMs } from "#lib/base/testing/processor-time.ts";
import { listProviders } from "#lib/core/providers/catalog/catalog.ts";
import { describeVerifyFailure } from "./scheme/failure.ts";
import { takesSecret } from "./scheme/missing-parts.ts";
import type { VerifyRequest } from "./scheme/request-view.ts";
import { requestOf, testUrl } from "./testing/test-request.ts";
import { sampleKeys, sampleRequest, sampleSecret, sampleSettings } from "./testing/test-sample.ts";
import { prepareVerifier } from "./verify.ts";

const nowMs = 1_700_000_000_000;
const ofCode = listProviders().filter(({ scheme }) => scheme.kind === "code");
/** Only describes the body, and isn't part of the proof. */
const unproven = ["content-type", "x-amz-sns-message-type"];

/** The last character before the padding has unused bits: another encoding of the same bytes. */
function respell(text: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return text.replace(/([A-Za-z0-9+/])(=+)$/, (_whole, last: string, padding: string) => {
    return alphabet[(alphabet.indexOf(last) + 1) % 64] + padding;
  });
}

const junk: Readonly<Record<string, (value: string) => string | readonly string[]>> = {
  "an empty value": () => "",
  "white space": () => "   ",
  "10,000 signatures": (value) => `${value},`.repeat(10_000),
  "10,000 pairs": () => "t=1,v1=00&a|b;".repeat(10_000),
  "four times what the listener lets in": () => "A".repeat(64_000),
  "as many brackets": () => "[".repeat(64_000),
  Infinity: () => "Infinity",
  "a time with letters behind": (value) => `${value}abc`,
  "bytes beyond ASCII": () => "\u00ff\u0080\u0000".repeat(50),
  "two headers": (value) => [value, value],
  "the right one twice": (value) => `${value}, ${value}`,
  "a part of the right one": (value) => value.slice(0, -2),
  // Valid as hex alone, which Worldpay sends after the key's number and the hash.
  "upper case": (value) =>
    /^(?:1\/SHA256\/)?[0-9a-fA-F,]+$/.test(value) || value === value.toUpperCase()
      ? ""
      : value.toUpperCase(),
  "a name of every object": () => "__proto__",
};

describe.each(ofCode)("$id", ({ id, scheme }) => {
  const { signing, pasted } = sampleSecret(scheme, id);
  const request = sampleRequest(scheme, signing, nowMs);
  const verify = prepareVerifier({
    name: id,
    scheme,
    secrets: takesSecret(scheme) ? [pasted] : [],
    settings: sampleSettings(scheme),
  });

  function expectRejected(changed: VerifyRequest, title: string): void {
    const tookMs = fastestMs(() => verify(changed, nowMs, sampleKeys));
    const verdict = verify(changed, nowMs, sampleKeys);
    expect([title, verdict.outcome]).toEqual([title, "failed"]);
    expect(tookMs).toBeLessThan(quicklyMs);
    if (verdict.outcome !== "failed") return;
    const words = describeVerifyFailure(verdict.reason, verdict);
    for (const secret of [pasted, signing]) expect(words).not.toContain(secret);
  }

  const headers = Object.keys(request.headers).filter((name) => !unproven.includes(name));

  it.runIf(headers.length > 0)("rejects junk in each header", () => {
    for (const name of headers) {
      const good = request.headers[name]?.[0] ?? "";
      for (const [title, change] of Object.entries(junk)) {
        // Plivo sends lists, in which one must match.
        if (name === "x-plivo-signature-v3" && title === "the right one twice") continue;
        const value = change(good);
        const values = typeof value === "string" ? [value] : value;
        expectRejected(
          { ...request, headers: { ...request.headers, [name]: values } },
          `${name}: ${title}`,
        );
      }
      const { [name]: _left, ...others } = request.headers;
      expectRejected({ ...request, headers: others }, `${name}: missing`);
    }
  });

  it("rejects junk bodies, and bodies without a proof", () => {
    const bodies = [
      "",
      "\u0000",
      "{",
      "[]",
      "null",
      "7",
      '{"a":1}',
      "a=1",
      "[".repeat(100_000),
      "&".repeat(100_000),
    ];
    for (const text of bodies) {
      const body = Buffer.from(text);
      const bare = {
        ...request,
        headers: requestOf({}, "").headers,
        url: testUrl,
        query: "",
        body,
      };
      expectRejected(bare, text.slice(0, 10));
    }
  });
});

describe("base64 in another notation", () => {
  it.each(ofCode)("$id rejects it", ({ id, scheme }) => {
    const { signing, pasted } = sampleSecret(scheme, id);
    const request = sampleRequest(scheme, signing, nowMs);
    const secrets = takesSecret(scheme) ? [pasted] : [];
    const verify = prepareVerifier({ scheme, secrets, settings: sampleSettings(scheme) });
    for (const [name, values] of Object.entries(request.headers)) {
      const good = values?.[0] ?? "";
      if (respell(good) === good || unproven.includes(name)) continue;
      const headers = { ...request.headers, [name]: [respell(good)] };
      expect(verify({ ...request, headers }, nowMs, sampleKeys)).toMatchObject({
        outcome: "failed",
      });
    }
  });
});

describe("values inside a body", () => {
  const check = (id: string, body: string, headers: Record<string, string> = {}) => {
    const scheme = listProviders().find((provider) => provider.id === id)?.scheme;
    if (scheme === undefined) throw new Error(id);
    const { pasted } = sampleSecret(scheme, id);
    const secrets = takesSecret(scheme) ? [pasted] : [];
    const verify = prepareVerifier({ scheme, secrets, settings: sampleSettings(scheme) });
    const verdict = verify(requestOf(headers, body), nowMs, sampleKeys);
    return verdict.outcome === "failed" ? verdict.reason : verdict.outcome;
  };
  const items = (count: number, item: object) =>
    JSON.stringify({
      notificationItems: Array.from({ length: count }, () => ({ NotificationRequestItem: item })),
    });

  it("adyen: no items, too many, nested ones, and junk signatures", () => {
    const signed = (hmacSignature: unknown) => ({ additionalData: { hmacSignature } });
    expect(check("adyen", items(0, {}))).toBe("signature_missing");
    expect(check("adyen", items(10_000, signed("AAAA")))).toBe("signature_missing");
    expect(check("adyen", items(1, []))).toBe("signature_missing");
    expect(check("adyen", items(1, signed("")))).toBe("signature_missing");
    expect(check("adyen", items(1, signed({ a: 1 })))).toBe("signature_missing");
    expect(check("adyen", items(1, signed("A".repeat(1_000_000))))).toBe("signature_malformed");
    expect(check("adyen", items(1, { ...signed(`${"A".repeat(43)}=`), success: {} }))).toBe(
      "signature_malformed",
    );
    expect(check("adyen", items(1, signed(`${"A".repeat(43)}=`)))).toBe("signature_mismatch");
  });

  it("adyen: one item without a valid signature rejects all", () => {
    const scheme = listProviders().find(({ id }) => id === "adyen")?.scheme;
    if (scheme === undefined) throw new Error("adyen");
    const { signing } = sampleSecret(scheme, "adyen");
    const body = JSON.parse(Buffer.from(sampleRequest(scheme, signing, nowMs).body).toString());
    expect(check("adyen", JSON.stringify(body))).toBe("verified");
    body.notificationItems.push({ NotificationRequestItem: { pspReference: "1" } });
    expect(check("adyen", JSON.stringify(body))).toBe("signature_missing");
    expect(check("adyen", JSON.stringify({ ...body, notificationItems: {} }))).toBe(
      "signature_missing",
    );
  });

  it("braintree: more than ten signatures, foreign keys, and payloads that aren't base64", () => {
    const form = (signature: string, payload = "AAAA") =>
      new URLSearchParams({ bt_signature: signature, bt_payload: payload }).toString();
    const mine = "c4vx3p2tgkyvqbrn";
    expect(check("braintree", form(`${mine}|${"0".repeat(40)}&`.repeat(10_000)))).toBe(
      "too_many_signatures",
    );
    expect(check("braintree", form(`other|${"0".repeat(40)}`))).toBe("signature_malformed");
    expect(check("braintree", form(`${mine}|${"0".repeat(39)}`))).toBe("signature_malformed");
    expect(check("braintree", form(`${mine}|${"0".repeat(40)}`))).toBe("signature_mismatch");
    expect(check("braintree", form(`${mine}|${"0".repeat(40)}`, "<xml>"))).toBe(
      "signature_malformed",
    );
    expect(check("braintree", form(""))).toBe("signature_missing");
    expect(check("braintree", `${form("a|b")}&${form("a|b")}`)).toBe("header_repeated");
  });

  it("dropbox sign: forms without a boundary, without the field, with two, with a file of that name", () => {
    const type = (boundary: string) => ({
      "content-type": `multipart/form-data; boundary=${boundary}`,
    });
    const part = (name: string, text: string) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
    const event = (fields: object) => JSON.stringify({ event: fields });
    expect(check("dropbox-sign", part("json", "{}"))).toBe("signature_missing");
    expect(
      check("dropbox-sign", part("json", "{}"), { "content-type": "multipart/form-data" }),
    ).toBe("signature_missing");
    expect(check("dropbox-sign", `${part("xjson", "{}")}--b--`, type("b"))).toBe(
      "signature_missing",
    );
    expect(check("dropbox-sign", part("json", "{}"), type("b"))).toBe("signature_missing");
    expect(
      check("dropbox-sign", `${part("json", "{}")}${part("json", "{}")}--b--`, type("b")),
    ).toBe("header_repeated");
    expect(check("dropbox-sign", `${part("json", "{}")}--b--`, type("b"))).toBe(
      "signature_malformed",
    );
    const run = { event_time: "1", event_type: "2a", event_hash: "0".repeat(64) };
    expect(check("dropbox-sign", `${part("json", event(run))}--b--`, type("b"))).toBe(
      "signature_malformed",
    );
    const right = { ...run, event_type: "callback_test" };
    expect(check("dropbox-sign", `${part("json", event(right))}--b--`, type("b"))).toBe(
      "signature_mismatch",
    );
    expect(check("dropbox-sign", "--b\r\n".repeat(100_000), type("b"))).toBe("signature_missing");
  });
});
