import { beforeAll, describe, expect, it } from "vitest";
import { readMappingPayload } from "#lib/services/actions/steps/mapping-source.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { storeDelivery } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import { readDeliveryPage } from "./read-delivery-page.ts";

const api = withApi();
let hookId: string;
const place = (deliveryId: string) => ({ hookId, actionId: null, deliveryId });
beforeAll(async () => {
  const hook = await api.call("POST", "/api/v1/hooks", {
    token: api.account.token,
    body: { name: "n" },
  });
  hookId = hook.body.id;
});

const mebibyte = 1024 * 1024;
type Body = readonly [name: string, make: () => string | Buffer, contentType: string];
const json = "application/json";
const bodies: readonly Body[] = [
  [
    "rows of hostile HTML",
    () =>
      JSON.stringify(Array.from({ length: 60_000 }, () => ({ html: "<b>&amp;</b>".repeat(11) }))),
    json,
  ],
  ["lists 5,000,000 deep that never close", () => "[".repeat(5 * mebibyte), json],
  [
    "bytes of any kind",
    () => Buffer.from(Array.from({ length: mebibyte }, (_, at) => (at * 89) % 256)),
    "application/octet-stream",
  ],
];
const otherBodies: readonly Body[] = [
  ["one text", () => JSON.stringify({ html: "<".repeat(9 * mebibyte) }), json],
  [
    "200,000 names",
    () =>
      JSON.stringify(
        Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`<i>${at}`, at])),
      ),
    json,
  ],
  ["lists 7,000 deep", () => `${"[".repeat(7_000)}${"]".repeat(7_000)}`, json],
  [
    "JSON that breaks at its end",
    () => JSON.stringify({ a: "<".repeat(9 * mebibyte) }).slice(0, -1),
    json,
  ],
];

describe("the content of a page", () => {
  const title = "stays under a megabyte, twice over, and never fails: %s";
  it.each(bodies)(title, expectSmall);
  it.each(otherBodies)(title, { tags: "variant" }, expectSmall);

  async function expectSmall(...[, make, contentType]: Body): Promise<void> {
    const body = Buffer.from(make());
    const id = await storeDelivery(api.db, api.account.id, hookId, { body, contentType });
    const page = await readDeliveryPage(testContext(api.db, api.account.id), id);
    expect(sizeOf(page)).toBeLessThan(1_000_000);
    const payload = await readMappingPayload(testContext(api.db, api.account.id), place(id));
    expect(sizeOf(payload)).toBeLessThan(1_000_000);
  }

  it("shows XML as a tree, a multipart form by its parts, and plain text without an error", async () => {
    const read = async (body: string, contentType: string) => {
      const fields = { body: Buffer.from(body), contentType };
      return await readDeliveryPage(
        testContext(api.db, api.account.id),
        await storeDelivery(api.db, api.account.id, hookId, fields),
      );
    };
    const xml = await read(
      '<order id="7"><total>1.10</total></order>',
      "application/xml; charset=utf-8",
    );
    expect(xml.body.tree?.children[0]).toMatchObject({
      key: "order",
      path: "payload.order",
      children: [
        { key: "@id", text: "7", path: 'payload.order["@id"]' },
        { key: "total", text: "1.10", path: "payload.order.total" },
      ],
    });
    expect((await read("<order>", "text/xml")).body).toMatchObject({
      tree: null,
      treeProblem: expect.stringContaining("This XML can't be read"),
    });
    const part = (head: string, text: string) =>
      `--xx\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
    const file = part(
      'name="cv"; filename="cv.pdf"\r\nContent-Type: application/pdf',
      "%PDF\0\u0001",
    );
    const form = await read(
      `${part('name="who"', "Ada")}${file}--xx--`,
      "multipart/form-data; boundary=xx",
    );
    expect(form.parts).toEqual([
      { name: "who", fileName: null, contentType: null, size: 3, text: "Ada" },
      { name: "cv", fileName: "cv.pdf", contentType: "application/pdf", size: 6, text: "" },
    ]);
    expect((await read("hello", "text/plain")).body).toMatchObject({ tree: null, fault: null });
    expect((await read('{"a": ', "text/plain")).body.fault?.message).toMatch(/^Line 1/);
  });

  it("shows the provider's response and how long it took", async () => {
    const read = async (fields: Parameters<typeof storeDelivery>[3]) => {
      const id = await storeDelivery(api.db, api.account.id, hookId, fields);
      return {
        id,
        ...(await readDeliveryPage(testContext(api.db, api.account.id), id)).delivery.response,
      };
    };
    const { id, ...accepted } = await read({ receivedAtMs: Date.now() - 40 });
    expect(accepted).toMatchObject({
      status: 200,
      body: JSON.stringify({ status: "accepted", deliveryId: id }),
    });
    expect(accepted.durationMs).toBeGreaterThanOrEqual(40);
    expect(accepted.durationMs).toBeLessThan(20_000);
    const rejected = { status: "rejected", detail: "No such header." } as const;
    expect(await read({ ...rejected, reason: "signature_missing" })).toMatchObject({
      status: 401,
      body: "No such header.",
    });
    expect(await read({ ...rejected, reason: "body_too_large" })).toMatchObject({ status: 413 });
  });

  it("names the type and the id that a rejected delivery claims, and stores neither", async () => {
    const claimOf = async (fields: Parameters<typeof storeDelivery>[3]) => {
      const rejected = { status: "rejected", reason: "signature_missing", ...fields } as const;
      const id = await storeDelivery(api.db, api.account.id, hookId, rejected);
      const { delivery } = await readDeliveryPage(testContext(api.db, api.account.id), id);
      return [delivery.eventType, delivery.eventId];
    };
    const text = '{"id": "evt_bad", "type": "invoice.paid", "data": {}}';
    expect(await claimOf({ text })).toEqual(["invoice.paid", "evt_bad"]);
    expect(await claimOf({ text: "{nope" })).toEqual([null, null]);
    expect(await claimOf({ text: '{"type": {}}' })).toEqual([null, null]);
    const stored = await api.db.$queryRaw<{ n: bigint }[]>`
      select count(*) as n from deliveries where status = 'rejected' and (event_id, event_type) is distinct from (null, null)`;
    expect(stored).toEqual([{ n: 0n }]);
  });

  it("shows where JSON is invalid, with the surrounding text", async () => {
    const body = Buffer.from('{"id": "evt_1",\n "a": 1,\n}');
    const id = await storeDelivery(api.db, api.account.id, hookId, { body });
    const { fault } = (await readDeliveryPage(testContext(api.db, api.account.id), id)).body;
    expect(fault?.message).toBe("Line 3, column 1: remove the comma before }.");
    expect([fault?.before, fault?.after]).toEqual(['{"id": "evt_1",\n "a": 1,\n', "}"]);
  });

  it("a provider's token in a header or the query is named and not shown", async () => {
    const headersJson = JSON.stringify([
      ["X-Api-Token", "tok_of_the_provider"],
      ["X-Topic", "orders"],
    ]);
    const query = "token=tok_in_the_query&page=2";
    const id = await storeDelivery(api.db, api.account.id, hookId, { headersJson, query });
    const shown = JSON.stringify([
      await readMappingPayload(testContext(api.db, api.account.id), place(id)),
      await readDeliveryPage(testContext(api.db, api.account.id), id),
    ]);
    expect(shown).not.toMatch(/tok_of_the_provider|tok_in_the_query/);
    expect(shown).toContain("x-api-token");
  });
});

/** The size as HTML and as data for React, with every markup character escaped. */
function sizeOf(value: unknown): number {
  const text = JSON.stringify(value);
  return 2 * text.length + 5 * (text.match(/[<>&]/g)?.length ?? 0);
}
