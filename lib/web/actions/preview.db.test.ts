import { beforeAll, describe, expect, it } from "vitest";
import { storeDelivery } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const { send } = api;
let hookId: string;
beforeAll(async () => {
  hookId = (await send("POST", "/hooks", { name: "Orders" })).body.id;
});

const sendText = (method: string, path: string, text: string) =>
  api.call(method, `/api/v1${path}`, { token: api.account.token, text });
const request = { method: "POST", url: "https://api.example.com/v1" };
const create = async (body: Record<string, unknown> = {}) => {
  const response = await send("POST", `/hooks/${hookId}/actions`, {
    name: "Call",
    request,
    ...body,
  });
  if (response.status !== 201) throw new Error(response.text);
  return response.body;
};

describe("POST /actions/{id}/preview", () => {
  const mapped = {
    method: "POST",
    url: "http://127.0.0.1:4000/orders/{{ id }}",
    headers: { "X-Type": "{{ type }}" },
    query: { q: "{{ data.email }}" },
    body: { email: "{{ data.email }}", amount: "{{ data.amount }}" },
    auth: { type: "bearer", token: "sk_live_0123456789abcdef" },
  };
  const payload =
    '{"id":"a/b","type":"paid","data":{"email":"a@b.c","amount":12345678901234567890123}}';

  it("shows the exact request for a payload, typed and escaped, without the credentials", async () => {
    const { id } = await create({ request: mapped });
    const response = await sendText("POST", `/actions/${id}/preview`, `{"payload":${payload}}`);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      ok: true,
      request: {
        method: "POST",
        url: "http://127.0.0.1:4000/orders/a%2Fb?q=a%40b.c",
        headers: {
          "x-type": "paid",
          authorization: "[redacted]",
          "content-type": "application/json",
        },
        body: '{"email":"a@b.c","amount":12345678901234567890123}',
      },
    });
    expect(response.text).not.toContain("sk_live");
  });

  it("shows the same for that payload as a delivery", async () => {
    const { id } = await create({ request: mapped });
    const deliveryId = await storeDelivery(api.db, api.account.id, hookId, { text: payload });
    const byDelivery = await send("POST", `/actions/${id}/preview`, { deliveryId });
    const byPayload = await sendText("POST", `/actions/${id}/preview`, `{"payload":${payload}}`);
    expect(byDelivery.body.request.url).toBe(byPayload.body.request.url);
    expect(byDelivery.body.request.body).toBe(byPayload.body.request.body);
  });

  it("says why there is none: every missing name, with its place", async () => {
    const { id } = await create({ request: mapped });
    const { status, body } = await send("POST", `/actions/${id}/preview`, {
      payload: { id: 1, type: "x" },
    });
    expect([status, body.ok, body.code]).toEqual([200, false, "mapping_failed"]);
    expect(body.errors.map((error: { path: string }) => error.path)).toEqual(
      expect.arrayContaining(["request.query.q", "request.body.email", "request.body.amount"]),
    );
    expect(JSON.stringify(body.errors)).toContain("data.email");
  });

  it("says that the filter doesn't match, or that the address isn't allowed", async () => {
    const filtered = await create({
      filter: { all: [{ path: "type", op: "equals", value: "a" }] },
    });
    expect(
      (await send("POST", `/actions/${filtered.id}/preview`, { payload: { type: "b" } })).body,
    ).toMatchObject({
      ok: false,
      code: "filter_not_matched",
      errors: [{ path: "filter" }],
    });
    const dynamic = await create({ request: { method: "POST", url: "{{ data.url }}" } });
    const payload = { data: { url: "http://169.254.169.254/" } };
    expect((await send("POST", `/actions/${dynamic.id}/preview`, { payload })).body).toMatchObject({
      ok: false,
      code: "blocked",
    });
  });

  it("headers can be given, and the body may be larger than for other calls", async () => {
    const { id } = await create({
      request: { ...request, bodyText: "{{ headers.x-a }} {{ data | size }}" },
    });
    const data = "x".repeat(3 * 1024 * 1024);
    const { body } = await send("POST", `/actions/${id}/preview`, {
      payload: { data },
      headers: { "X-A": "1" },
    });
    expect(body.request.body).toBe(`1 ${data.length}`);
  });

  it.each([{}, { deliveryId: "x", payload: 1 }, { payload: 1, extra: 1 }, { deliveryId: 5 }])(
    "%j is rejected",
    async (body) => {
      const { id } = await create();
      expect((await send("POST", `/actions/${id}/preview`, body)).status).toBe(400);
    },
  );
});
