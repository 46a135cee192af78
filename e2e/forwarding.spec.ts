import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { type Dashboard, startDashboard } from "./harness/dashboard.ts";

type Json = Record<string, unknown>;

let dashboard: Dashboard;

test.beforeAll(async () => {
  dashboard = await startDashboard("forwarding");
});
test.afterAll(async () => await dashboard?.stop());

test("forwarding passes on method, query, headers, and every byte of any body, as the preview shows it", async () => {
  const anything = await dashboard.makeHook({
    name: "Anything",
    methods: ["POST", "PUT", "DELETE"],
  });
  const forwarding = await dashboard.api("POST", `/hooks/${anything.id}/actions`, {
    name: "Forward",
    request: {
      method: "POST",
      url: dashboard.receiver.url("/as-is?own=1"),
      headers: { "X-Own": "{{ rawBody | size }}" },
      forward: {},
    },
  });
  const sent = [
    {
      method: "POST",
      type: "application/json",
      body: Buffer.from('{ "b":1.10,\n\t"a": 12345678901234567890123 }\n'),
    },
    {
      method: "PUT",
      type: "application/xml",
      body: Buffer.from('<?xml version="1.0"?>\r\n<a b="&amp;">ü</a>'),
    },
    { method: "POST", type: "text/plain; charset=utf-8", body: Buffer.from("\ufeffone\r\ntwo") },
    {
      method: "POST",
      type: "application/json",
      encoding: "gzip",
      body: gzipSync('{"packed":true}'),
    },
    { method: "DELETE", type: "text/plain", body: Buffer.alloc(0) },
  ];
  const query = "a=1&a=2&slash=%2F&token=hidden";
  const deliverAndRead = async ({ method, type, encoding, body }: (typeof sent)[number]) => {
    const before = dashboard.receiver.calls.length;
    const response = await fetch(`${anything.catchUrl}?${query}`, {
      method,
      headers: {
        "content-type": type,
        "x-signature": "v1=abc",
        authorization: "Bearer of-the-caller",
        cookie: "session=1",
        "x-api-key": "of-the-caller",
        "x-client-token": "of-the-caller",
        "x-forwarded-for": "192.0.2.1",
        ...(encoding === undefined ? {} : { "content-encoding": encoding }),
      },
      ...(body.byteLength === 0 ? {} : { body }),
    });
    expect(response.status).toBe(200);
    await expect.poll(() => dashboard.receiver.calls.length).toBe(before + 1);
    const { deliveryId } = (await response.json()) as Json;
    const preview = await dashboard.api("POST", `/actions/${String(forwarding.id)}/preview`, {
      deliveryId,
    });
    return { call: dashboard.receiver.calls[before], preview: preview.request as Json };
  };
  for (const one of sent) {
    const { call, preview } = await deliverAndRead(one);
    expect([one.type, call?.bytes.toString("hex")]).toEqual([one.type, one.body.toString("hex")]);
    expect(call).toMatchObject({
      method: one.method,
      path: "/as-is?own=1&a=1&a=2&slash=%2F",
      headers: {
        "content-type": one.type,
        "x-signature": "v1=abc",
        "x-own": expect.stringMatching(/^\d+$/),
      },
    });
    expect(call?.headers["content-encoding"]).toBe(one.encoding);
    for (const name of [
      "authorization",
      "cookie",
      "x-api-key",
      "x-client-token",
      "x-forwarded-for",
    ])
      expect(call?.headers).not.toHaveProperty(name);
    const shown = Buffer.from(String(preview.body ?? ""), preview.bodyEncoding as BufferEncoding);
    expect([preview.method, preview.url, shown.toString("hex")]).toEqual([
      one.method,
      dashboard.receiver.url("/as-is?own=1&a=1&a=2&slash=%2F"),
      one.body.toString("hex"),
    ]);
    for (const [name, value] of preview.rawHeaders as [string, string][])
      if (name !== "Idempotency-Key" && name !== "x-signature")
        expect(call?.headers[name.toLowerCase()]).toBe(value);
  }
  // Chosen by name, with the action's own method; bytes that aren't text have no `rawBody`.
  await dashboard.api("PATCH", `/actions/${String(forwarding.id)}`, {
    request: {
      method: "PATCH",
      url: dashboard.receiver.url("/chosen"),
      forward: { method: false, query: false, headers: ["x-client-token"] },
    },
  });
  const binary = {
    method: "POST",
    type: "application/octet-stream",
    body: Buffer.from([0, 255, 254, 128, 10]),
  };
  const { call, preview } = await deliverAndRead(binary);
  expect(call).toMatchObject({
    method: "PATCH",
    path: "/chosen",
    headers: { "x-client-token": "of-the-caller" },
  });
  expect(call?.headers).not.toHaveProperty("x-signature");
  expect(call?.bytes).toEqual(binary.body);
  expect(preview).toMatchObject({ bodyEncoding: "base64", body: binary.body.toString("base64") });
});
