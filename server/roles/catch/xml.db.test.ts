import { expect, test } from "vitest";
import { salesforceSamples } from "#lib/core/providers/salesforce.samples.ts";
import { createFresh } from "#lib/core/providers/shapes/fresh.ts";
import { maskDatabase } from "#lib/db/masking/masked-database.ts";
import { addHook, readDeliveries, type TestHook } from "#lib/db/testing/test-hook.ts";
import { createAction } from "#lib/services/actions/write-actions.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { startReceiver } from "#lib/worker/testing/receiver.ts";
import { startTestWorker } from "#lib/worker/testing/start-worker.ts";
import { send } from "#server/testing/catch-harness.ts";
import { waitFor } from "#server/testing/wait-for.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const bench = withCatch();

function deliver(hook: TestHook, body: string | Buffer, contentType = "text/xml", query = "") {
  return send(bench.caught.port, hook.path + query, {
    body: new Uint8Array(Buffer.from(body)),
    headers: { "content-type": contentType },
  });
}

const order = (id: string, status: string) => `<?xml version="1.0" encoding="UTF-8"?>
<soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope"><soap:Body>
  <order id="${id}"><status>${status}</status><total currency="EUR">12.50</total>
    <item sku="a"/><item sku="b&amp;c"/></order>
</soap:Body></soap:Envelope>`;
const inBody = (path: string) => ({
  from: "body",
  path: `["soap:Envelope"]["soap:Body"].order.${path}`,
});

test("SOAP is identified, typed, filtered, and mapped in the call of its action", async () => {
  await using receiver = await startReceiver();
  await using _worker = startTestWorker({ url: bench.url });
  const hook = await addHook(bench.db, {
    dedupe: inBody("@id"),
    eventType: inBody("status"),
  });
  const root = 'payload["soap:Envelope"]["soap:Body"].order';
  const variables = { CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8" };
  await createAction(testContext(bench.db, hook.accountId, { variables }), {
    id: hook.id,
    name: "a",
    filter: { all: [{ path: `${root}.status`, op: "equals", value: "paid" }] },
    steps: [
      {
        key: "items",
        kind: "call",
        forEach: { path: `${root}.item` },
        request: {
          method: "POST",
          url: receiver.url,
          body: {
            sku: '{{ item["@sku"] }}',
            total: `{{ ${root}.total["#text"] }}`,
            currency: `{{ ${root}.total["@currency"] }}`,
          },
        },
      },
    ],
  } as unknown as Parameters<typeof createAction>[1]);
  const type = 'application/soap+xml; charset=utf-8; action="urn:order"';
  for (const [id, status] of [
    ["7", "open"],
    ["8", "paid"],
    ["8", "paid"],
  ] as const)
    expect((await deliver(hook, order(id, status), type)).status).toBe(200);
  await waitFor("two calls", () => receiver.calls[1]);
  expect(receiver.calls.map(({ body }) => JSON.parse(body))).toEqual([
    { sku: "a", total: "12.50", currency: "EUR" },
    { sku: "b&c", total: "12.50", currency: "EUR" },
  ]);
  const rows = await readDeliveries(bench.db, hook);
  expect(rows.map(({ status, eventId, eventType }) => [status, eventId, eventType])).toEqual([
    ["accepted", "7", "open"],
    ["accepted", "8", "paid"],
    ["duplicate", "8", "paid"],
  ]);
  expect(receiver.calls.length).toBe(2);
});

test.each([
  ["text/xml", Buffer.from(`\ufeff${order("é", "paid")}`, "utf16le")],
  ["application/xml", Buffer.from(order("é", "paid").replace("UTF-8", "ISO-8859-1"), "latin1")],
  ["text/plain", Buffer.from(order("é", "paid"))],
  ["application/x-www-form-urlencoded", Buffer.from(`\ufeff${order("é", "paid")}`)],
])("XML under %s has the id that it says, and its bytes stay", async (type, body) => {
  const hook = await addHook(bench.db, { dedupe: inBody("@id") });
  await deliver(hook, body, type);
  const [row] = await readDeliveries(bench.db, hook);
  expect(row).toMatchObject({ status: "accepted", eventId: "é" });
  expect(Buffer.compare(row?.body ?? Buffer.alloc(0), body)).toBe(0);
});

test.each([
  "<order>",
  "<!DOCTYPE o [<!ENTITY a 'b'>]><o>&a;</o>",
  "not XML",
  "<a>".repeat(200_000),
])("XML that can't be read is stored: %.30s", async (body) => {
  const hook = await addHook(bench.db);
  expect((await deliver(hook, body)).status).toBe(200);
  const [row] = await readDeliveries(bench.db, hook);
  expect(row).toMatchObject({ status: "accepted", eventId: null, reason: null });
});

test("someone with masked fields sees XML without them", async () => {
  const hook = await addHook(bench.db);
  await deliver(hook, order("7", "paid"));
  const masked = maskDatabase(bench.db, ["order.total", "sku"]);
  const [row] = await readDeliveries(masked, hook);
  expect(Buffer.from(row?.body ?? "").toString()).toBe(
    order("7", "paid")
      .replace('currency="EUR">12.50', 'currency="••••">••••')
      .replace('sku="a"', 'sku="••••"')
      .replace('sku="b&amp;c"', 'sku="••••"'),
  );
});

test("notifications of Salesforce are events of their own, and are acknowledged", async () => {
  const secret = "a-long-random-value";
  const hook = await addHook(bench.db, { provider: "salesforce", signingSecret: secret });
  const fresh = createFresh(0, (count) => crypto.getRandomValues(new Uint8Array(count)));
  const content = salesforceSamples[0].make(fresh);
  const one = "xml" in content ? content.xml : "";
  const ids = Array.from({ length: 100 }, (_, at) => `04l5g00000${10_000 + at}AAU`);
  const notification = /<Notification>.*<\/Notification>/s.exec(one)?.[0] ?? "";
  const write = (...some: readonly string[]) =>
    one.replace(notification, some.map((id) => notification.replace(/04l\w+/, id)).join("\n"));
  const token = `?token=${secret}`;
  const response = await deliver(hook, write(...ids), "text/xml; charset=UTF-8", token);
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "text/xml; charset=utf-8",
  ]);
  expect(response.text).toMatch(/<notificationsResponse [^>]+><Ack>true<\/Ack>/);
  const [whole, ...events] = await readDeliveries(bench.db, hook);
  expect(whole?.status).toBe("batch");
  expect(events.map(({ eventId }) => eventId)).toEqual(ids);
  expect(events[0]).toMatchObject({ eventType: "sf:Contact", contentType: "application/json" });
  expect(JSON.parse(Buffer.from(events[0]?.body ?? "").toString())).toMatchObject({
    Id: ids[0],
    sObject: { "@xsi:type": "sf:Contact", "sf:Email": "jenny.rosen@example.com" },
  });
  // Again, alone and with a new one.
  const again = await deliver(hook, write(ids[3] ?? ""), "text/xml", token);
  expect(again.text).toContain("<Ack>true</Ack>");
  await deliver(hook, write(ids[4] ?? "", "04l5g0000020000AAU"), "text/xml", token);
  const later = (await readDeliveries(bench.db, hook)).slice(101);
  expect(later.map(({ status, eventId }) => [status, eventId])).toEqual([
    ["batch", null],
    ["duplicate", ids[3]],
    ["batch", null],
    ["duplicate", ids[4]],
    ["accepted", "04l5g0000020000AAU"],
  ]);
  const rejected = await deliver(hook, write("04l5g0000020001AAU"), "text/xml", "?token=other");
  expect([rejected.status, rejected.text.includes("Ack")]).toEqual([401, false]);
});
