import { beforeAll, describe, expect, it } from "vitest";
import { readMappingPayload } from "./read-action-editor.ts";
import { readDeliveryPage } from "./read-delivery-page.ts";
import { storeDelivery } from "./testing/test-api.ts";
import { withApi } from "./testing/with-api.ts";

const api = withApi();
let hookId: string;
beforeAll(async () => {
  const hook = await api.call("POST", "/api/v1/hooks", { token: api.account.token, body: { name: "n" } });
  hookId = hook.body.id;
});

const mebibyte = 1024 * 1024;
const bodies: readonly (readonly [name: string, body: string | Buffer, contentType: string])[] = [
  [
    "rows of hostile HTML",
    JSON.stringify(Array.from({ length: 60_000 }, () => ({ html: "<b>&amp;</b>".repeat(11) }))),
    "application/json",
  ],
  ["one text", JSON.stringify({ html: "<".repeat(9 * mebibyte) }), "application/json"],
  [
    "200,000 names",
    JSON.stringify(Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`<i>${at}`, at]))),
    "application/json",
  ],
  ["lists 7,000 deep", `${"[".repeat(7_000)}${"]".repeat(7_000)}`, "application/json"],
  ["lists 5,000,000 deep that never close", "[".repeat(5 * mebibyte), "application/json"],
  [
    "JSON that breaks at its end",
    `${JSON.stringify({ a: "<".repeat(9 * mebibyte) }).slice(0, -1)}`,
    "application/json",
  ],
  [
    "bytes of any kind",
    Buffer.from(Array.from({ length: mebibyte }, (_, at) => (at * 89) % 256)),
    "application/octet-stream",
  ],
];

describe("what a page is made of", () => {
  it.each(bodies)("stays under a megabyte, twice over, and never fails: %s", async (_, body, contentType) => {
    const id = await storeDelivery(api.db, api.account.id, hookId, { body: Buffer.from(body), contentType });
    const page = await readDeliveryPage(api.account.id, id);
    expect(sizeOf(page)).toBeLessThan(1_000_000);
    expect(sizeOf(await readMappingPayload(api.account.id, hookId, id))).toBeLessThan(1_000_000);
  });

  it("says where JSON breaks, with what stands around", async () => {
    const body = Buffer.from('{"id": "evt_1",\n "a": 1,\n}');
    const id = await storeDelivery(api.db, api.account.id, hookId, { body });
    const { fault } = (await readDeliveryPage(api.account.id, id)).body;
    expect(fault?.message).toBe("Line 3, column 1: a comma must not stand before }.");
    expect([fault?.before, fault?.after]).toEqual(['{"id": "evt_1",\n "a": 1,\n', "}"]);
  });

  it("a sender's token in a header or the query is named and not shown", async () => {
    const headersJson = JSON.stringify([
      ["X-Api-Token", "tok_of_the_sender"],
      ["X-Topic", "orders"],
    ]);
    const query = "token=tok_in_the_query&page=2";
    const id = await storeDelivery(api.db, api.account.id, hookId, { headersJson, query });
    const shown = JSON.stringify([
      await readMappingPayload(api.account.id, hookId, id),
      await readDeliveryPage(api.account.id, id),
    ]);
    expect(shown).not.toMatch(/tok_of_the_sender|tok_in_the_query/);
    expect(shown).toContain("x-api-token");
  });
});

/** As HTML and as data for React, with every character of markup escaped. */
function sizeOf(value: unknown): number {
  const text = JSON.stringify(value);
  return 2 * text.length + 5 * (text.match(/[<>&]/g)?.length ?? 0);
}
