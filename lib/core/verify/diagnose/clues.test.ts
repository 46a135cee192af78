/** Nothing to try: no signature, no secret, a credential that isn't stored, or another reason. */
import { describe, expect, it } from "vitest";
import { redactionMark } from "#lib/core/people/redact/redact-text.ts";
import { requestOf } from "#lib/core/verify/testing/test-request.ts";
import { diagnose } from "./diagnose.ts";
import { diagnoseDelivery, diagnosisInputOf } from "./testing/test-diagnosis-input.ts";

const missing = { reason: "signature_missing" } as const;
const github = { provider: "github", secret: "s3cret-s3cret" };

describe("the signature is missing", () => {
  it("headers of another provider are recognized", () => {
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
    expect(findings[0]?.sentence).toContain("looks like a delivery from GitHub");
    expect(findings[0]?.sentence).toContain("The hook expects Stripe");
  });

  it(
    "a delivery from the hook's provider without a signature: no " +
      "secret is set there, or a proxy drops the header",
    () => {
      const { findings, next, tried } = diagnoseDelivery(
        github,
        { "X-GitHub-Event": "push", "cf-ray": "1" },
        "{}",
        missing,
      );
      expect(findings).toMatchObject([{ code: "header_missing", confidence: "likely" }]);
      expect(findings[0]?.sentence).toContain(
        "The delivery has X-Github-Event, so it is from GitHub",
      );
      expect(findings[0]?.sentence).toContain("no secret is set at GitHub");
      expect(findings[0]?.sentence).toContain("the proxy (Cloudflare) drops the header");
      expect(next).toContain("Send a test event");
      expect(tried).toBeLessThan(3);
    },
  );

  it.each([
    ["curl/8.4.0", "curl"],
    ["PostmanRuntime/7.36.0", "Postman"],
    [
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120 Safari/537.36",
      "a browser",
    ],
    ["kube-probe/1.29", "an uptime monitor"],
  ])("a manual request: %s", (agent, words) => {
    const { findings } = diagnoseDelivery(github, { "User-Agent": agent }, "{}", missing);
    expect(findings).toMatchObject([{ code: "sent_by_hand", confidence: "likely" }]);
    expect(findings[0]?.sentence).toContain(`sent by ${words}`);
  });

  it("an unknown header that looks like a signature is reported", () => {
    const { findings } = diagnoseDelivery(github, { "X-Acme-Signature": "abc" }, "{}", missing);
    expect(findings[0]?.sentence).toContain('the header "X-Acme-Signature" looks like a signature');
  });

  it("is a fact, even if nothing says why", () => {
    const { findings } = diagnoseDelivery(github, {}, "{}", missing);
    expect(findings).toMatchObject([{ code: "header_missing", confidence: "certain" }]);
    expect(findings[0]?.sentence).toContain("The delivery has no signature");
  });

  it("another header that is signed is missing", () => {
    const headers = {
      "svix-signature": `v1,${Buffer.alloc(32).toString("base64")}`,
      "svix-timestamp": "1700000000",
    };
    const { findings } = diagnoseDelivery(
      { provider: "svix", secret: "whsec_QUJDREVGR0g=" },
      headers,
      "{}",
      {
        reason: "id_missing",
      },
    );
    expect(findings.find(({ code }) => code === "header_missing")?.sentence).toContain(
      "another header that Svix signs is missing",
    );
  });
});

describe("credentials that are never stored", () => {
  it.each([
    ["gitlab", { "x-gitlab-token": redactionMark }, "GitLab (secret token)"],
    ["bearer", { authorization: redactionMark }, "Bearer token"],
    ["basic-auth", { authorization: redactionMark }, "Basic authentication"],
  ])("%s: says that it can't be checked again", (provider, headers, name) => {
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
    diagnosisInputOf({ provider: "mailchimp", secret: "x".repeat(20) }, request, {
      reason: "token_mismatch",
    }),
  );
  expect(findings[0]).toMatchObject({ code: "credential_not_stored" });
  expect(findings[0]?.sentence).toContain("in the query parameter token");
});

describe("rejected for another reason", () => {
  const refused = (reason: string, body = "{}", method = "POST") =>
    diagnose(diagnosisInputOf(github, requestOf({}, body, { method }), { reason }));

  it.each([
    ["", "It is empty"],
    ["<xml/>", "XML or HTML"],
    ["a=1&b=2", "It is a form"],
    ["{'a': 1}", "single quotes or none"],
    ["{a: 1}", "single quotes or none"],
    ['{"a": NaN}', "NaN"],
    ['{"a": 1,}', "a trailing comma"],
    ['{"a": [1, 2', "It is truncated"],
    ["hello", "Send valid JSON"],
  ])("the body isn't JSON: %j", (body, words) => {
    const { verdict, findings } = refused("invalid_json", body);
    expect([verdict, findings[0]?.code]).toEqual(["explained", "invalid_json"]);
    expect(findings[0]?.sentence).toContain(words);
  });

  it("a method that isn't allowed can be", () => {
    const { findings } = refused("method_not_allowed", "", "PUT");
    expect(findings).toMatchObject([
      { code: "method_not_allowed", fix: { kind: "allow_method", method: "PUT" } },
    ]);
    expect(refused("method_not_allowed", "", "GET").findings[0]?.sentence).toContain(
      "in a browser",
    );
    expect(refused("method_not_allowed", "", "HEAD").findings[0]?.fix).toBeNull();
    expect(refused("method_not_allowed", "", "POST").findings[0]?.sentence).toContain(
      "now accepts POST",
    );
  });

  it("a large body, and a reason from a later version", () => {
    expect(refused("body_too_large").findings[0]?.sentence).toContain("CATCHMENT_MAX_BODY_BYTES");
    expect(refused("something_new").verdict).toBe("explained");
  });

  it("an accepted delivery, and a hook that no longer verifies", () => {
    expect(
      diagnose(diagnosisInputOf(github, requestOf({}, ""), { wasRejected: false, reason: null })),
    ).toMatchObject({
      verdict: "not_failed",
      findings: [],
      tried: 0,
    });
    const generic = { provider: "generic", scheme: null, settings: {}, methods: ["POST"] };
    expect(
      diagnose(diagnosisInputOf(github, requestOf({}, ""), { hook: generic })).findings[0]?.code,
    ).toBe("verifies_nothing_now");
    const unknown = {
      provider: "gone",
      scheme: { kind: "future" },
      settings: {},
      methods: ["POST"],
    };
    expect(diagnose(diagnosisInputOf(github, requestOf({}, ""), { hook: unknown })).verdict).toBe(
      "explained",
    );
  });
});
