import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findProvider, listProviders } from "#lib/core/providers/catalog/catalog.ts";
import { takesSecret } from "./scheme/missing-parts.ts";
import { checkSecret } from "./scheme/secret.ts";
import { signRequest } from "./sign.ts";
import { schemeOf } from "./testing/scheme-of.ts";
import { nowMs, stripeRequest } from "./testing/stripe-request.ts";
import { flipBit, requestOf, testUrl } from "./testing/test-request.ts";
import { sampleKeys, sampleRequest, sampleSecret, sampleSettings } from "./testing/test-sample.ts";
import { prepareVerifier, verifySignature } from "./verify.ts";

const whsec = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

describe("secrets", () => {
  it("old and new both pass during a rotation, a third doesn't", () => {
    const verify = prepareVerifier({
      scheme: schemeOf("stripe"),
      secrets: ["whsec_old", "whsec_new"],
    });
    const outcomes = ["whsec_old", "whsec_new", "whsec_other"].map((secret) =>
      verify(stripeRequest(secret), nowMs),
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["verified", "verified", "failed"]);
  });

  it("one of several signatures is enough, anywhere among junk", () => {
    const good = signRequest(schemeOf("stripe"), whsec, {
      body: Buffer.from("{}"),
      timestampMs: nowMs,
    });
    const [time = "", right = ""] = (good["stripe-signature"] ?? "").split(",");
    for (const header of [
      `${time},v1=,v1=${"0".repeat(64)},${right}`,
      `${right},junk,v0=1,${time},v1=zz`,
    ]) {
      const request = requestOf({ "stripe-signature": header }, "{}");
      expect(
        verifySignature({ scheme: schemeOf("stripe"), secrets: [whsec], request, nowMs }).outcome,
      ).toBe("verified");
    }
  });

  it.each([[[]], [[""]], [["   ", "\n"]]])("no usable secret rejects everything: %j", (secrets) => {
    for (const { id, scheme } of listProviders().filter((provider) =>
      takesSecret(provider.scheme),
    )) {
      const settings = sampleSettings(scheme);
      const verdict = prepareVerifier({ name: id, scheme, secrets, settings })(
        stripeRequest("x"),
        nowMs,
      );
      expect(verdict).toMatchObject({ outcome: "failed", scheme: id, reason: "secret_missing" });
    }
  });

  it("a required setting that is missing, or has another format, rejects everything", () => {
    for (const { id, scheme } of listProviders()) {
      if (scheme.kind !== "code") continue;
      for (const { name, fallback } of scheme.settings ?? []) {
        const { [name]: _left, ...others } = sampleSettings(scheme);
        const settingsOf =
          fallback === undefined ? [others, { ...others, [name]: "\n" }] : [{ [name]: "\n" }];
        for (const settings of settingsOf) {
          const verify = prepareVerifier({ name: id, scheme, secrets: [whsec], settings });
          const request = sampleRequest(scheme, sampleSecret(scheme, id).signing, nowMs);
          expect(verify(request, nowMs, sampleKeys)).toMatchObject({ reason: "setting_missing" });
        }
      }
    }
  });

  it("JSON from storage never passes for code", () => {
    const stored = JSON.parse(
      JSON.stringify({ ...findProvider("twilio")?.scheme, prepare: "() => () => null" }),
    );
    const verify = prepareVerifier({ scheme: stored, secrets: ["x"] });
    expect(verify(stripeRequest("x"), nowMs)).toMatchObject({ reason: "unknown_scheme" });
  });

  it("a signature made with an empty key is rejected", () => {
    const scheme = schemeOf("standard-webhooks");
    for (const secret of ["whsec_", "whsec_ ", "whsec_====", "not base64!"]) {
      expect(
        prepareVerifier({ scheme, secrets: [secret] })(stripeRequest("x"), nowMs),
      ).toMatchObject({
        reason: "secret_malformed",
      });
    }
  });

  it("an undecodable secret beside a good one doesn't matter", () => {
    const scheme = schemeOf("svix");
    const body = Buffer.from("{}");
    const request = requestOf(
      signRequest(scheme, whsec, { body, timestampMs: nowMs, id: "m" }),
      body,
    );
    expect(prepareVerifier({ scheme, secrets: ["", "!!", whsec] })(request, nowMs).outcome).toBe(
      "verified",
    );
  });

  it("a blank secret beside a good one isn't a key", () => {
    const verify = prepareVerifier({ scheme: schemeOf("stripe"), secrets: [" ", whsec] });
    const hmac = createHmac("sha256", " ").update(`1700000000.{}`).digest("hex");
    const request = requestOf({ "stripe-signature": `t=1700000000,v1=${hmac}` }, "{}");
    expect(verify(request, nowMs)).toMatchObject({ reason: "signature_mismatch" });
  });

  it("white space at the end of a pasted secret is part of the key", () => {
    const verify = prepareVerifier({ scheme: schemeOf("stripe"), secrets: ["whsec_x\n"] });
    expect(verify(stripeRequest("whsec_x\n"), nowMs).outcome).toBe("verified");
    expect(verify(stripeRequest("whsec_x"), nowMs).outcome).toBe("failed");
  });

  it.each([
    undefined,
    null,
    "stripe",
    1,
    {},
    { kind: "none" },
    { kind: "mac" },
    { ...schemeOf("stripe"), hash: "crc32" },
  ])("an invalid scheme rejects everything: %j", (scheme) => {
    const verdict = prepareVerifier({ scheme, secrets: ["whsec_x"] })(
      stripeRequest("whsec_x"),
      nowMs,
    );
    expect(verdict).toMatchObject({ outcome: "failed", reason: "unknown_scheme" });
  });
});

function isSameLetter(one = "", other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

describe("properties", () => {
  // A form's decoded fields are signed, and several bodies decode to the same fields.
  const macs = listProviders().filter(
    ({ scheme }) =>
      scheme.kind === "mac" &&
      scheme.signature.sources[0]?.from === "header" &&
      scheme.timestamp?.source.from !== "body" &&
      !scheme.signed.template.includes("{form}") &&
      scheme.signed.bodyNotSigned !== true &&
      checkSecret(scheme, whsec).ok,
  );
  const headers = { "klaviyo-timestamp": "Tue, 14 Nov 2023 22:13:20 GMT" };

  it("any bytes that are signed verify, and with any bit flipped they don't", () => {
    const anyCase = fc.tuple(fc.constantFrom(...macs), fc.uint8Array({ maxLength: 300 }), fc.nat());
    fc.assert(
      fc.property(anyCase, ([{ scheme }, body, bit]) => {
        const input = { body, timestampMs: nowMs, id: "msg_1", url: testUrl, headers };
        const signed = signRequest(scheme, whsec, input);
        const verify = prepareVerifier({ scheme, secrets: [whsec] });
        expect(verify(requestOf(signed, body), nowMs).outcome).toBe("verified");
        expect(verify(requestOf(signed, flipBit(body, bit)), nowMs).outcome).toBe("failed");
      }),
    );
  });

  it("any bit flipped in a signed header is rejected", () => {
    const body = Buffer.from("{}");
    fc.assert(
      fc.property(fc.constantFrom(...macs), fc.nat(), fc.nat(), ({ scheme }, which, bit) => {
        const input = { body, timestampMs: nowMs, id: "msg_1", headers };
        const signed = signRequest(scheme, whsec, input);
        const names = Object.keys(signed);
        const name = names[which % names.length] ?? "";
        const value = Buffer.from(signed[name] ?? "", "latin1");
        const flipped = Buffer.from(flipBit(value, bit)).toString("latin1");
        // The case of a hex digit doesn't change the signature's bytes.
        fc.pre(
          scheme.kind !== "mac" ||
            scheme.encoding !== "hex" ||
            !isSameLetter(signed[name], flipped),
        );
        const request = requestOf({ ...signed, [name]: flipped }, body);
        expect(prepareVerifier({ scheme, secrets: [whsec] })(request, nowMs).outcome).toBe(
          "failed",
        );
      }),
    );
  });

  it("arbitrary headers, bodies, queries, and secrets never throw and never pass", () => {
    const value = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.stringMatching(/^(t=|ts=|v1[=,]|h1=|sha256=|v0=|Basic |Bearer )*[0-9a-f,;= ]*$/),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...listProviders()),
        fc.array(value, { maxLength: 3 }),
        fc.uint8Array(),
        fc.string(),
        fc.string(),
        ({ scheme, id }, values, body, query, secret) => {
          const names = ["signature", "id", "timestamp"].flatMap((end) => [
            `webhook-${end}`,
            `svix-${end}`,
          ]);
          const all = [
            ...names,
            "stripe-signature",
            "x-hub-signature-256",
            "x-slack-signature",
            "authorization",
          ];
          const more = [
            "x-shopify-hmac-sha256",
            "linear-signature",
            "paddle-signature",
            "x-gitlab-token",
          ];
          const headers = Object.fromEntries([...all, ...more].map((name) => [name, values]));
          const verify = prepareVerifier({
            scheme,
            secrets: [`${secret}:secret-that-no-one-guesses`],
          });
          const verdict = verify(requestOf(headers, body, { query }), nowMs);
          expect([id, verdict.outcome]).toEqual([id, "failed"]);
        },
      ),
    );
  });
});
