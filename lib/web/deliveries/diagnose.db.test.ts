import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { applyFix } from "#lib/services/deliveries/apply-fix.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { storeDelivery } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const { send } = api;

const secret = "whsec_5WbX5kEWLlfzsGNjH64I8lOOqUB6e8FH";
const text = '{"id":"evt_1","type":"invoice.paid"}';

async function createHook(fields: Record<string, unknown>) {
  const response = await send("POST", "/hooks", { name: "n", ...fields });
  expect(response.status).toBe(201);
  return response.body.id as string;
}

function signStripe(key: string, body = text, seconds = Math.floor(Date.now() / 1000)) {
  return `t=${seconds},v1=${createHmac("sha256", key).update(`${seconds}.${body}`).digest("hex")}`;
}

function signGithub(key: string, body = text) {
  return `sha256=${createHmac("sha256", key).update(body).digest("hex")}`;
}

/** A delivery that the catch path has rejected. */
function storeRejected(
  hookId: string,
  headers: Record<string, string>,
  fields: Parameters<typeof storeDelivery>[3] = {},
) {
  return storeDelivery(api.db, api.account.id, hookId, {
    text,
    status: "rejected",
    reason: "signature_mismatch",
    verificationOutcome: "failed",
    verificationScheme: "stripe",
    headersJson: JSON.stringify(Object.entries(headers)),
    ...fields,
  });
}

const diagnose = async (id: string) => {
  const response = await send("POST", `/deliveries/${id}/diagnose`);
  expect(response.status).toBe(200);
  return response.body;
};

const apply = (deliveryId: string, code: string) =>
  applyFix(testContext(api.db, api.account.id, api.context), { id: deliveryId, code });

describe("POST /deliveries/{id}/diagnose", () => {
  it("returns the verdict, the findings with their fixes, and how much was tried", async () => {
    const hookId = await createHook({ provider: "stripe", signingSecret: `${secret}\n` });
    const id = await storeRejected(hookId, { "Stripe-Signature": signStripe(secret) });
    expect(await diagnose(id)).toEqual({
      verdict: "explained",
      findings: [
        {
          code: "secret_text",
          sentence: expect.stringContaining("ends with a line break"),
          confidence: "certain",
          fix: {
            kind: "replace_secret",
            secretId: expect.any(String),
            change: "trim",
            label: expect.any(String),
            effect: expect.any(String),
          },
        },
      ],
      tried: expect.any(Number),
      isComplete: true,
      triedWhat: null,
      next: null,
    });
  });

  it("compares with the other hooks of the api.account, and never with another account's", async () => {
    const hookId = await createHook({ provider: "github", signingSecret: "mine-0123456789" });
    const otherAccount = await api.createAccount("other-of-secrets");
    const fields = { name: "Theirs", provider: "github", signingSecret: "theirs-0123456789" };
    await send("POST", "/hooks", fields, otherAccount.token);
    const id = await storeRejected(hookId, {
      "X-Hub-Signature-256": signGithub("theirs-0123456789"),
    });
    expect((await diagnose(id)).verdict).toBe("unexplained");
    await createHook({ ...fields, name: "Orders EU" });
    const { findings } = await diagnose(id);
    expect(findings[0].sentence).toContain('your hook "Orders EU"');
    expect(
      (await send("POST", `/deliveries/${id}/diagnose`, undefined, otherAccount.token)).status,
    ).toBe(404);
  });

  it("uses the URL that the provider was given", async () => {
    const hookId = await createHook({ provider: "square", signingSecret: "square-0123456789" });
    const { catchUrl } = (await send("GET", `/hooks/${hookId}`)).body;
    const signed = createHmac("sha256", "square-0123456789")
      .update(`${catchUrl}/a/?x=1${text}`)
      .digest("base64");
    const headers = { "X-Square-Hmacsha256-Signature": signed };
    const id = await storeRejected(hookId, headers, { path: "/a", query: "x=1" });
    expect((await diagnose(id)).findings[0].sentence).toContain("with a trailing slash");
  });

  it("says that others were verified around the same time", async () => {
    const hookId = await createHook({ provider: "stripe", signingSecret: secret });
    await storeDelivery(api.db, api.account.id, hookId, {
      verificationOutcome: "verified",
      verificationScheme: "stripe",
    });
    const old = Math.floor(Date.now() / 1000) - 47 * 60;
    const headers = { "Stripe-Signature": signStripe(secret, text, old) };
    const id = await storeRejected(hookId, headers, { reason: "timestamp_too_old" });
    expect((await diagnose(id)).findings[0].sentence).toMatch(
      /47 min before .* the clocks are right/,
    );
  });

  it("says of an accepted one that it wasn't rejected, and changes nothing", async () => {
    const hookId = await createHook({});
    const id = await storeDelivery(api.db, api.account.id, hookId);
    expect(await diagnose(id)).toMatchObject({ verdict: "not_failed", findings: [], tried: 0 });
  });

  it("limits concurrent diagnoses per account, and says when to try again", async () => {
    const hookId = await createHook({ provider: "stripe", signingSecret: secret });
    const id = await storeRejected(hookId, { "Stripe-Signature": signStripe("whsec_unknown") });
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => send("POST", `/deliveries/${id}/diagnose`)),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(4);
    const refused = responses.find(({ status }) => status === 429);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect([refused?.body.code, refused?.headers.get("retry-after")]).toEqual([
      "rate_limited",
      "5",
    ]);
    expect((await send("POST", `/deliveries/${id}/diagnose`)).status).toBe(200);
  });
});

describe("an applied fix makes the delivery verify", () => {
  const verifiesNow = async (id: string) => {
    expect((await diagnose(id)).findings).toMatchObject([{ code: "verifies_now" }]);
  };

  it("the corrected secret, beside the old one for a day", async () => {
    const hookId = await createHook({ provider: "stripe", signingSecret: `"${secret}"` });
    const id = await storeRejected(hookId, { "Stripe-Signature": signStripe(secret) });
    expect(await apply(id, "secret_text")).toBe(hookId);
    await verifiesNow(id);
    const rows = await api.db.hookSecret.findMany({ where: { hookId }, orderBy: { id: "asc" } });
    expect(rows.map(({ expiresAt }) => expiresAt === null)).toEqual([false, true]);
  });

  it("the provider, and the rules that follow it", async () => {
    const hookId = await createHook({ provider: "stripe", signingSecret: secret });
    const id = await storeRejected(hookId, { "X-Hub-Signature-256": signGithub(secret) });
    await apply(id, "other_provider");
    await verifiesNow(id);
    const hook = (await send("GET", `/hooks/${hookId}`)).body;
    expect(hook).toMatchObject({
      provider: "github",
      dedupe: { from: "header", name: "x-github-delivery" },
    });
  });

  it("the scheme, while the existing rules stay", async () => {
    const hookId = await createHook({ provider: "github", signingSecret: secret });
    const signature = createHmac("sha512", secret).update(text).digest("hex");
    const id = await storeRejected(hookId, { "X-Hub-Signature-256": `sha256=${signature}` });
    await apply(id, "other_hash");
    await verifiesNow(id);
    expect((await send("GET", `/hooks/${hookId}`)).body).toMatchObject({
      provider: "custom",
      verification: { hash: "sha512" },
      dedupe: { from: "header", name: "x-github-delivery" },
    });
  });

  it("the previous secret is active again for a day", async () => {
    const hookId = await createHook({ provider: "stripe", signingSecret: secret });
    await send("POST", `/hooks/${hookId}/secrets`, {
      secret: "whsec_the_new_one_0123",
      expirePreviousAfterSeconds: 60,
    });
    await api.db.hookSecret.updateMany({
      where: { hookId, NOT: { expiresAt: null } },
      data: { expiresAt: new Date(Date.now() - 60_000) },
    });
    const id = await storeRejected(hookId, { "Stripe-Signature": signStripe(secret) });
    expect((await diagnose(id)).findings).toMatchObject([{ code: "secret_previous" }]);
    await apply(id, "secret_previous");
    await verifiesNow(id);
    expect((await send("GET", `/hooks/${hookId}`)).body.secrets ?? []).toBeDefined();
  });

  it("the method", async () => {
    const hookId = await createHook({});
    const fields = {
      method: "PUT",
      reason: "method_not_allowed",
      verificationOutcome: "not_configured",
    } as const;
    const id = await storeRejected(hookId, {}, fields);
    await apply(id, "method_not_allowed");
    expect((await send("GET", `/hooks/${hookId}`)).body.methods).toEqual(["POST", "PUT"]);
  });

  it("nothing is changed if the finding is gone, has no fix, or belongs to another account", async () => {
    const hookId = await createHook({ provider: "stripe", signingSecret: secret });
    const id = await storeRejected(hookId, { "Stripe-Signature": signStripe(secret) });
    await expect(apply(id, "verifies_now")).rejects.toMatchObject({ code: "conflict" });
    await expect(apply(id, "other_provider")).rejects.toMatchObject({ code: "conflict" });
    const otherAccount = await api.createAccount("other-of-fixes");
    const context = testContext(api.db, otherAccount.id, api.context);
    const theirs = applyFix(context, { id, code: "secret_text" });
    await expect(theirs).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("suggestedProvider of a delivery", () => {
  const suggested = async (id: string) =>
    (await send("GET", `/deliveries/${id}`)).body.suggestedProvider;

  it("names the provider of an unverified one, and why", async () => {
    const hookId = await createHook({});
    const headersJson = JSON.stringify([["Stripe-Signature", signStripe("anything")]]);
    const id = await storeDelivery(api.db, api.account.id, hookId, { text, headersJson });
    expect(await suggested(id)).toEqual({
      id: "stripe",
      name: "Stripe",
      why: ["it has the header Stripe-Signature"],
      isClear: true,
      alternatives: [],
    });
    expect(
      await suggested(await storeDelivery(api.db, api.account.id, hookId, { text })),
    ).toBeNull();
  });

  it("is null if it was verified, or matches the hook's provider", async () => {
    const hookId = await createHook({ provider: "stripe", signingSecret: secret });
    const headersJson = JSON.stringify([["Stripe-Signature", signStripe(secret)]]);
    const fields = { text, headersJson, verificationScheme: "stripe" };
    const verified = await storeDelivery(api.db, api.account.id, hookId, {
      ...fields,
      verificationOutcome: "verified",
    });
    expect(await suggested(verified)).toBeNull();
    expect(
      await suggested(await storeRejected(hookId, { "Stripe-Signature": signStripe("x") })),
    ).toBeNull();
    const other = await storeRejected(hookId, { "X-GitHub-Event": "push" });
    expect(await suggested(other)).toMatchObject({ id: "github" });
  });
});
