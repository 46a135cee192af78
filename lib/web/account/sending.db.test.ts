import { expect, it } from "vitest";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const receiverUrl = "https://customer.example/in";

it("the account's signature header is changed alone, and names that can't be it are rejected", async () => {
  const before = await api.send("GET", "/sending");
  expect(before.body).toMatchObject({
    signatureHeader: "Catchment-Signature",
    catchmentSignature: true,
    standardWebhooksHeaders: true,
  });
  await api.send("PATCH", "/sending", { portalName: "Acme" });
  const changed = await api.send("PATCH", "/sending", {
    signatureHeader: "Acme-Signature",
    standardWebhooksHeaders: false,
  });
  expect([changed.status, changed.body]).toEqual([
    200,
    {
      ...before.body,
      portalName: "Acme",
      signatureHeader: "Acme-Signature",
      standardWebhooksHeaders: false,
    },
  ]);
  for (const signatureHeader of [
    "webhook-signature",
    "Catchment-Other-Signature",
    "Proxy-Signature",
    "Signature",
    "-Signature",
    "X-Acme",
    "Acme_-Signature",
    "Ac\r\nme-Signature",
    `${"a".repeat(55)}-Signature`,
    null,
  ]) {
    const { status, body } = await api.send("PATCH", "/sending", { signatureHeader });
    expect([signatureHeader, status, body.errors?.[0]?.path]).toEqual([
      signatureHeader,
      400,
      "signatureHeader",
    ]);
  }
  expect((await api.send("GET", "/sending")).body).toEqual(changed.body);
});

it("no subscription has a header of its own with the name of the signature", async () => {
  await api.send("PATCH", "/sending", { signatureHeader: "Acme-Signature" });
  const headers = { "acme-signature": "mine" };
  const rejected = await api.send("POST", "/subscriptions", { receiverUrl, headers });
  expect([rejected.status, rejected.body.errors[0]]).toEqual([
    400,
    expect.objectContaining({ path: "headers.acme-signature", code: "not_allowed" }),
  ]);
  const own = { "X-Tenant": "eu", "X-Own-Signature": "mine" };
  const made = await api.send("POST", "/subscriptions", { receiverUrl, headers: own });
  const path = `/subscriptions/${made.body.id}`;
  expect((await api.send("PATCH", path, { headers })).status).toBe(400);
  const taken = await api.send("PATCH", "/sending", { signatureHeader: "x-own-signature" });
  expect([taken.status, taken.body.code]).toEqual([409, "conflict"]);
  expect(taken.body.detail).toContain(made.body.id);
  await api.send("PATCH", path, { headers: { "x-own-signature": null } });
  const freed = await api.send("PATCH", "/sending", { signatureHeader: "x-own-signature" });
  expect([freed.status, freed.body.signatureHeader]).toEqual([200, "x-own-signature"]);
});
