/** Changes that can happen to a delivery on its way: changed headers, URLs, and clocks. */
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { describeVerifyFailure } from "#lib/core/verify/scheme/failure.ts";
import { type SignInput, signRequest } from "#lib/core/verify/sign.ts";
import { requestOf, testUrl } from "#lib/core/verify/testing/test-request.ts";
import { diagnose } from "./diagnose.ts";
import { body, mac, seconds, secret, signStripe } from "./testing/test-delivery.ts";
import {
  diagnoseDelivery,
  diagnosisInputOf,
  nowMs,
  schemeOf,
} from "./testing/test-diagnosis-input.ts";

describe("the header of the signature", () => {
  const right = mac("sha256", "hex", body);
  const hook = { provider: "github", secret };

  it.each([
    ["quotation marks", { "x-hub-signature-256": `"sha256=${right}"` }, "quotation marks"],
    ["white space", { "x-hub-signature-256": `sha256= ${right}` }, "white space around it"],
    ["percent-encoding", { "x-hub-signature-256": `sha256%3D${right}` }, "percent-encoded"],
  ])("%s", (_, headers, words) => {
    const { findings } = diagnoseDelivery(hook, headers, body);
    expect(findings[0]).toMatchObject({
      code: "signature_altered",
      confidence: "certain",
      fix: null,
    });
    expect(findings[0]?.sentence).toContain(words);
  });

  it("base64 that lost its padding", () => {
    const headers = { "x-shopify-hmac-sha256": mac("sha256", "base64", body).replace(/=+$/, "") };
    expect(
      diagnoseDelivery({ provider: "shopify", secret }, headers, body).findings[0]?.sentence,
    ).toContain('no padding ("=")');
  });

  it.each([
    [
      "twice",
      { "x-hub-signature-256": [`sha256=${"0".repeat(64)}`, `sha256=${right}`] },
      "arrived 2 times",
      "second",
    ],
    [
      "joined by a comma",
      { "x-hub-signature-256": `sha256=${right}, sha256=${right}` },
      "joined by a comma",
      "first",
    ],
  ])("%s", (_, headers, words, which) => {
    const { findings } = diagnoseDelivery(hook, headers, body, { reason: "header_repeated" });
    expect(findings[0]).toMatchObject({ code: "signature_repeated", confidence: "certain" });
    expect(findings[0]?.sentence).toContain(words);
    expect(findings[0]?.sentence).toContain(`The ${which} is correct`);
  });

  it.each(["x_hub_signature_256", "http_x_hub_signature_256", "x-original-x-hub-signature-256"])(
    "renamed to %s",
    (name) => {
      const { findings } = diagnoseDelivery(hook, { [name]: `sha256=${right}` }, body, {
        reason: "signature_missing",
      });
      expect(findings[0]).toMatchObject({ code: "header_renamed", confidence: "certain" });
      expect(findings[0]?.sentence).toContain("X-Hub-Signature-256 arrived as");
    },
  );

  it("has the length of another hash, from another secret", () => {
    const headers = {
      "x-hub-signature-256": `sha256=${createHmac("sha1", "other").update(body).digest("hex")}`,
    };
    const { findings } = diagnoseDelivery(hook, headers, body, { reason: "signature_malformed" });
    expect(findings[0]).toMatchObject({ code: "signature_shape", confidence: "likely" });
    expect(findings[0]?.sentence).toContain("should be hex of sha256, but it is hex of sha1");
  });

  it("truncated", () => {
    const headers = { "x-hub-signature-256": `sha256=${right.slice(0, 50)}` };
    const { findings } = diagnoseDelivery(hook, headers, body, { reason: "signature_malformed" });
    expect(findings[0]?.sentence).toContain("50 characters long");
  });
});

describe("the time", () => {
  const hook = { provider: "stripe", secret };

  it("47 minutes old, and nothing else was verified: by how much, and that a clock may be wrong", () => {
    const { verdict, findings } = diagnoseDelivery(hook, signStripe(seconds - 47 * 60), body, {
      reason: "timestamp_too_old",
    });
    expect(verdict).toBe("explained");
    expect(findings).toMatchObject([
      { code: "timestamp_too_old", confidence: "certain", fix: null },
    ]);
    expect(findings[0]?.sentence).toContain(
      "47 min before the delivery arrived. The limit is 5 min.",
    );
    expect(findings[0]?.sentence).toContain("with NTP");
  });

  it.each([-200, 60, 9_180, 9_360, 12_500, 200_000])(
    "%s s beyond the limit: the rejection and the diagnosis name the same span",
    (skew) => {
      const skewSeconds = Math.abs(skew);
      const sentAt = skew < 0 ? seconds + 300 + skewSeconds : seconds - 300 - skewSeconds;
      const { findings } = diagnoseDelivery(hook, signStripe(sentAt), body);
      const reason = skew < 0 ? "timestamp_in_future" : "timestamp_too_old";
      const detail = describeVerifyFailure(reason, { subject: "x", skewSeconds });
      const span = / in x is (.+? too (?:old|far in the future))/.exec(detail)?.[1];
      expect(span).toMatch(/^\d+ (?:s|min|h|days)/);
      expect(findings[0]?.sentence).toContain(`The signature is correct, but it is ${span}: `);
    },
  );

  it("names hours with their minutes", () => {
    const { findings } = diagnoseDelivery(hook, signStripe(seconds - 9_180), body);
    expect(findings[0]?.sentence).toContain(
      "it is 2 h 28 min too old: its timestamp is 2 h 33 min before the delivery arrived",
    );
  });

  it("others were verified at that time: an old one that was sent again", () => {
    const { findings } = diagnoseDelivery(hook, signStripe(seconds - 47 * 60), body, {
      wereOthersVerified: true,
    });
    expect(findings[0]?.sentence).toContain("the clocks are right");
  });

  it("exact hours: a time zone", () => {
    const { findings } = diagnoseDelivery(hook, signStripe(seconds - 2 * 3600 - 40), body);
    expect(findings[0]?.sentence).toContain("uses its local time as UTC");
  });

  it("in the future: this clock is slow", () => {
    const { findings } = diagnoseDelivery(hook, signStripe(seconds + 11 * 60), body);
    expect(findings).toMatchObject([{ code: "timestamp_in_future" }]);
    expect(findings[0]?.sentence).toContain("11 min after the delivery arrived");
    expect(findings[0]?.sentence).toContain("This server's clock is slow");
  });

  it("old, and the secret has a line break: both are reported", () => {
    const { findings } = diagnoseDelivery(
      { ...hook, secret: `${secret}\n` },
      signStripe(seconds - 3000),
      body,
    );
    expect(findings.map(({ code }) => code)).toEqual(["secret_text", "timestamp_too_old"]);
  });

  it("everything is right: the hook has changed since", () => {
    expect(diagnoseDelivery(hook, signStripe(), body).findings).toMatchObject([
      { code: "verifies_now", confidence: "certain" },
    ]);
  });
});

describe("the URL, if it is signed", () => {
  const input = (url: string): SignInput => ({ body: Buffer.from(body), timestampMs: nowMs, url });
  const diagnoseUrl = (signed: string, url = testUrl, headers: Record<string, string> = {}) => {
    const sent = signRequest(schemeOf("square"), secret, input(signed));
    const request = requestOf({ ...headers, ...sent }, body, { url });
    const { verdict, findings } = diagnose(
      diagnosisInputOf({ provider: "square", secret }, request),
    );
    expect([verdict, findings[0]?.code, findings[0]?.fix]).toEqual([
      "explained",
      "url_differs",
      null,
    ]);
    expect(findings[0]?.sentence).toContain("CATCHMENT_PUBLIC_URL");
    return findings[0]?.sentence;
  };
  const plain = "https://hooks.example/catch/acme/k3y";

  it.each([
    ["http instead of https", plain.replace("https", "http"), plain, "with http instead of https"],
    [
      "with its port",
      plain.replace("example", "example:443"),
      plain,
      "with an explicit default port",
    ],
    ["without its port", plain, plain.replace("example", "example:8443"), "without its port"],
    ["with a trailing slash", `${plain}/`, plain, "with a trailing slash"],
    ["without a slash at its end", plain, `${plain}/`, "without the trailing slash"],
    ["without its query", plain, `${plain}?a=1`, "without its query"],
    ["decoded", `${plain}?a=b c`, `${plain}?a=b%20c`, "percent-escapes decoded"],
    [
      "http and a slash",
      `${plain.replace("https", "http")}/`,
      plain,
      "with http instead of https, and with a trailing slash",
    ],
  ])("%s", (_, signed, url, words) => {
    expect(diagnoseUrl(signed, url)).toContain(words);
  });

  it("the public name differs from CATCHMENT_PUBLIC_URL: the Host header's name", () => {
    const sentence = diagnoseUrl(plain.replace("hooks.example", "in.acme.example"), plain, {
      host: "in.acme.example",
    });
    expect(sentence).toContain(
      "with https://in.acme.example (from its Host header) instead of https://hooks.example",
    );
  });

  it("an invalid Host header isn't repeated", () => {
    const request = requestOf({ host: "<b>x</b>", "x-square-hmacsha256-signature": "AAAA" }, body);
    expect(
      JSON.stringify(diagnose(diagnosisInputOf({ provider: "square", secret }, request))),
    ).not.toContain("<b>");
  });
});
