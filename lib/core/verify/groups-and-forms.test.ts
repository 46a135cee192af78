/** Signatures with separate times, signed forms, and how providers turn a secret into a key. */
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { findProvider, listProviders } from "#lib/core/providers/catalog/catalog.ts";
import { requestOf, testUrl } from "./testing/test-request.ts";
import { prepareVerifier } from "./verify.ts";

const nowMs = 1_700_000_000_000;
const sent = nowMs / 1000;

function outcome(
  id: string,
  secrets: readonly string[],
  headers: Record<string, string>,
  body: string,
) {
  const verify = prepareVerifier({ scheme: findProvider(id)?.scheme, secrets });
  const verdict = verify(requestOf(headers, body), nowMs);
  return verdict.outcome === "failed" ? verdict.reason : verdict.outcome;
}

describe("persona: each signature has its own time", () => {
  const body = '{"data":{}}';
  const group = (secret: string, seconds: number) => {
    const signature = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
    return `t=${seconds},v1=${signature}`;
  };
  const check = (header: string) =>
    outcome("persona", ["mine"], { "persona-signature": header }, body);

  it("any of the groups may match", () => {
    expect(check(group("mine", sent))).toBe("verified");
    expect(check(`${group("mine", sent)} ${group("other", sent - 9)}`)).toBe("verified");
    expect(check(`${group("other", sent - 9)} ${group("mine", sent)}`)).toBe("verified");
    expect(check(`t=x,v1=00 nonsense ${group("mine", sent)}`)).toBe("verified");
  });

  it("a time never counts for another group's signature", () => {
    const old = group("mine", sent - 301);
    expect(check(old)).toBe("timestamp_too_old");
    expect(check(`${group("other", sent)} ${old}`)).toBe("timestamp_too_old");
    const [, signature] = old.split(",");
    expect(check(`t=${sent} ${signature}`)).toBe("timestamp_missing");
    expect(check(`t=${sent},${signature}`)).toBe("signature_mismatch");
  });

  it("more than ten groups are rejected", () => {
    expect(check(Array.from({ length: 10 }, () => group("other", sent)).join(" "))).toBe(
      "signature_mismatch",
    );
    expect(check(`${`${group("other", sent)} `.repeat(10)}${group("mine", sent)}`)).toBe(
      "too_many_signatures",
    );
    expect(check("t=1,v1=0 ".repeat(10_000))).toBe("too_many_signatures");
  });
});

describe("twilio: the fields of the form are signed", () => {
  const sign = (text: string) => createHmac("sha1", "token").update(text).digest("base64");
  const check = (text: string, body: string) =>
    outcome("twilio", ["token"], { "x-twilio-signature": sign(testUrl + text) }, body);

  it("sorted by name, without separators, each value once", () => {
    expect(check("Bodyhi thereTo+1", "To=%2B1&Body=hi+there")).toBe("verified");
    expect(check("A1A2", "A=2&A=1&A=2")).toBe("verified");
    expect(check("Bx", "B=x&C=y")).toBe("signature_mismatch");
    expect(check("", "")).toBe("verified");
  });

  it("a JSON body isn't taken for a form without fields", () => {
    expect(check("", '{"a":1}')).toBe("signature_mismatch");
  });
});

describe("secrets become keys as their providers define", () => {
  const sign = (secret: string) => createHmac("sha256", secret).update("{}");

  it("easypost normalizes to NFKD, however the text was typed", () => {
    const signature = {
      "x-hmac-signature": `hmac-sha256-hex=${sign("se\u0301cret").digest("hex")}`,
    };
    for (const pasted of ["s\u00e9cret", "se\u0301cret"]) {
      expect(outcome("easypost", [pasted], signature, "{}")).toBe("verified");
    }
    expect(outcome("easypost", ["secret"], signature, "{}")).toBe("signature_mismatch");
  });

  it("woocommerce decodes HTML entities, once", () => {
    const check = (key: string, pasted: string) =>
      outcome(
        "woocommerce",
        [pasted],
        { "x-wc-webhook-signature": sign(key).digest("base64") },
        "{}",
      );
    expect(check(`a&b<c>"d'e`, "a&amp;b&lt;c&gt;&quot;d&#039;e")).toBe("verified");
    expect(check(`a&b<c>"d'e`, `a&b<c>"d'e`)).toBe("verified");
    expect(check("&lt;", "&amp;lt;")).toBe("verified");
    expect(check("<", "&amp;lt;")).toBe("signature_mismatch");
    expect(check("&copy;", "&copy;")).toBe("verified");
  });
});

describe("a signed form with too many fields", () => {
  const body = Array(10_001).fill("a=1").join("&");

  it("is rejected, even with a signature over no fields", () => {
    const signature = createHmac("sha1", "mine").update(testUrl).digest("base64");
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect(outcome("twilio", ["mine"], { ...headers, "x-twilio-signature": signature }, body)).toBe(
      "signature_mismatch",
    );
    expect(outcome("twilio", ["mine"], { ...headers, "x-twilio-signature": signature }, "")).toBe(
      "verified",
    );
    expect(
      outcome("mandrill", ["mine"], { ...headers, "x-mandrill-signature": signature }, body),
    ).toBe("value_missing");
  });
});

describe("a token in each item of a batch", () => {
  const check = (secrets: string[], value: unknown) =>
    outcome("microsoft-graph", secrets, {}, JSON.stringify({ value }));
  const item = (clientState: unknown) => ({ id: "n1", clientState });

  it("must match in each of them", () => {
    expect(check(["mine"], [item("mine"), item("mine")])).toBe("verified");
    expect(check(["mine"], [item("mine"), item("yours"), item("mine")])).toBe("token_mismatch");
    expect(check(["mine"], [item("mine"), item("")])).toBe("token_missing");
    expect(check(["mine"], [item("mine"), { id: "n2" }])).toBe("token_missing");
    expect(check(["mine"], [item("mine"), "text"])).toBe("token_missing");
  });

  it("may be another subscription's while both are active", () => {
    expect(check(["new", "old"], [item("old"), item("new")])).toBe("verified");
  });

  it.each([[[]], [{ 0: { clientState: "mine" } }], ["mine"], [null]])(
    "is missing in %j",
    (value) => {
      expect(check(["mine"], value)).toBe("token_missing");
    },
  );

  it("is checked in every item for all providers that have it there", () => {
    const inItems = listProviders().flatMap(({ id, scheme, batch }) =>
      batch?.list.from === "body" && scheme.kind === "token" && scheme.source.from === "body"
        ? [{ id, list: batch.list.path, token: scheme.source.path }]
        : [],
    );
    expect(inItems.map(({ id }) => id)).toContain("microsoft-graph");
    for (const { list, token } of inItems) expect(token).toMatch(new RegExp(`^${list}\\.\\*\\.`));
  });
});
