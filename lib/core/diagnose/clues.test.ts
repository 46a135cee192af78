/** Where there is nothing to try: no signature, no secret, a credential that is not stored, or a refusal for another reason. */
import { describe, expect, it } from "vitest";
import { redactionMark } from "#lib/core/redact/redact-text.ts";
import { requestOf } from "#lib/core/verify/test-request.ts";
import { diagnose } from "./diagnose.ts";
import { diagnoseDelivery, patientOf } from "./test-patient.ts";

const missing = { reason: "signature_missing" } as const;
const github = { provider: "github", secret: "s3cret-s3cret" };

describe("the signature is missing", () => {
  it("it is from another sender by its headers", () => {
    const headers = { "X-Hub-Signature-256": `sha256=${"0".repeat(64)}`, "X-GitHub-Event": "push" };
    const { verdict, findings } = diagnoseDelivery(
      { provider: "stripe", secret: "whsec_x" },
      headers,
      "{}",
      missing,
    );
    expect([verdict, findings[0]?.code, findings[0]?.confidence]).toEqual([
      "unexplained",
      "sender_looks_other",
      "likely",
    ]);
    expect(findings[0]?.sentence).toContain("looks like a delivery of GitHub");
    expect(findings[0]?.sentence).toContain("The hook expects Stripe");
  });

  it("the sender is right and does not sign: no secret is set there, or a proxy drops the header", () => {
    const { findings, next, tried } = diagnoseDelivery(
      github,
      { "X-GitHub-Event": "push", "cf-ray": "1" },
      "{}",
      missing,
    );
    expect(findings).toMatchObject([{ code: "header_missing", confidence: "likely" }]);
    expect(findings[0]?.sentence).toContain("It carries X-Github-Event, so it is from GitHub");
    expect(findings[0]?.sentence).toContain("no secret is set at GitHub");
    expect(findings[0]?.sentence).toContain("the proxy in between (Cloudflare) drops the header");
    expect(next).toContain("send a test event");
    expect(tried).toBeLessThan(3);
  });

  it.each([
    ["curl/8.4.0", "curl"],
    ["PostmanRuntime/7.36.0", "Postman"],
    [
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120 Safari/537.36",
      "a browser",
    ],
    ["kube-probe/1.29", "a monitor"],
  ])("somebody tried by hand: %s", (agent, words) => {
    const { findings } = diagnoseDelivery(github, { "User-Agent": agent }, "{}", missing);
    expect(findings).toMatchObject([{ code: "sent_by_hand", confidence: "likely" }]);
    expect(findings[0]?.sentence).toContain(`sent by ${words}`);
  });

  it("an unknown header looks like a signature", () => {
    const { findings } = diagnoseDelivery(github, { "X-Acme-Signature": "abc" }, "{}", missing);
    expect(findings[0]?.sentence).toContain('there is a header "X-Acme-Signature"');
  });

  it("there is nothing at all", () => {
    const { findings } = diagnoseDelivery(github, {}, "{}", missing);
    expect(findings).toMatchObject([{ code: "header_missing", confidence: "possible" }]);
    expect(findings[0]?.sentence).toContain("Nothing in it is a signature");
  });

  it("another header that is signed is missing", () => {
    const headers = {
      "svix-signature": `v1,${Buffer.alloc(32).toString("base64")}`,
      "svix-timestamp": "1700000000",
    };
    const { findings } = diagnoseDelivery({ provider: "svix", secret: "whsec_QUJDREVGR0g=" }, headers, "{}", {
      reason: "id_missing",
    });
    expect(findings.find(({ code }) => code === "header_missing")?.sentence).toContain(
      "another header that Svix signs is missing",
    );
  });
});

describe("what is never stored", () => {
  it.each([
    ["gitlab", { "x-gitlab-token": redactionMark }, "GitLab (secret token)"],
    ["bearer", { authorization: redactionMark }, "Bearer token"],
    ["basic-auth", { authorization: redactionMark }, "Basic authentication"],
  ])("%s: says plainly that it can't be looked at again", (provider, headers, name) => {
    const { verdict, findings, next } = diagnoseDelivery(
      { provider, secret: "user:password " },
      headers,
      "{}",
      { reason: "token_mismatch" },
    );
    expect(verdict).toBe("unexplained");
    expect(findings[0]).toMatchObject({ code: "credential_not_stored", confidence: "certain" });
    expect(findings[0]?.sentence).toContain(name);
    expect(findings[0]?.sentence).toContain("never stored");
    expect(findings[1]).toMatchObject({ code: "secret_suspicious" });
    expect(findings[1]?.sentence).toContain("white space");
    expect(next).toMatch(/^Copy the secret again/);
  });
});

it("a token in the URL is not stored either", () => {
  const request = requestOf({}, "{}", { query: `a=1&token=${redactionMark}` });
  const { findings } = diagnose(
    patientOf({ provider: "mailchimp", secret: "x".repeat(20) }, request, { reason: "token_mismatch" }),
  );
  expect(findings[0]).toMatchObject({ code: "credential_not_stored" });
  expect(findings[0]?.sentence).toContain("in the query parameter token");
});

describe("refused for another reason", () => {
  const refused = (reason: string, body = "{}", method = "POST") =>
    diagnose(patientOf(github, requestOf({}, body, { method }), { reason }));

  it.each([
    ["", "It is empty"],
    ["<xml/>", "XML or HTML"],
    ["a=1&b=2", "It is a form"],
    ["{'a': 1}", "single quotes or none"],
    ["{a: 1}", "single quotes or none"],
    ['{"a": NaN}', "NaN"],
    ['{"a": 1,}', "a comma behind the last value"],
    ['{"a": [1, 2', "ends in the middle"],
    ["hello", "Let the sender send valid JSON"],
  ])("the body is not JSON: %j", (body, words) => {
    const { verdict, findings } = refused("invalid_json", body);
    expect([verdict, findings[0]?.code]).toEqual(["explained", "invalid_json"]);
    expect(findings[0]?.sentence).toContain(words);
  });

  it("the method is not allowed, and can be", () => {
    const { findings } = refused("method_not_allowed", "", "PUT");
    expect(findings).toMatchObject([
      { code: "method_not_allowed", fix: { kind: "allow_method", method: "PUT" } },
    ]);
    expect(refused("method_not_allowed", "", "GET").findings[0]?.sentence).toContain("in a browser");
    expect(refused("method_not_allowed", "", "HEAD").findings[0]?.fix).toBeNull();
    expect(refused("method_not_allowed", "", "POST").findings[0]?.sentence).toContain("by now");
  });

  it("too large, and what a later version may add", () => {
    expect(refused("body_too_large").findings[0]?.sentence).toContain("CATCHMENT_MAX_BODY_BYTES");
    expect(refused("something_new").verdict).toBe("explained");
  });

  it("not refused, or the hook verifies nothing any more", () => {
    expect(diagnose(patientOf(github, requestOf({}, ""), { wasRefused: false, reason: null }))).toMatchObject(
      {
        verdict: "not_failed",
        findings: [],
        tried: 0,
      },
    );
    const generic = { provider: "generic", scheme: null, settings: {}, methods: ["POST"] };
    expect(diagnose(patientOf(github, requestOf({}, ""), { hook: generic })).findings[0]?.code).toBe(
      "verifies_nothing_now",
    );
    const unknown = { provider: "gone", scheme: { kind: "future" }, settings: {}, methods: ["POST"] };
    expect(diagnose(patientOf(github, requestOf({}, ""), { hook: unknown })).verdict).toBe("explained");
  });
});
