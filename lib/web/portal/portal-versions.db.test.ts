import { beforeAll, expect, it } from "vitest";
import type { z } from "zod";
import { createPortalLink } from "#lib/db/recipients/portal-links.ts";
import { portalLinkSchema } from "#lib/schema/send/recipient.ts";
import { getCatalogType } from "#lib/services/event-types.ts";
import type { Service } from "#lib/services/frame/service.ts";
import { listVersionChoice } from "#lib/services/subscriptions/subscription-versions.ts";
import { updateSubscription } from "#lib/services/subscriptions/write-subscriptions.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import { callPortalService } from "./call-portal.ts";

const api = withApi();
let token: string;
let id: string;

const run = <Schema extends z.ZodType, Value>(service: Service<Schema, Value>, input: object) =>
  callPortalService(api.context, token, service, input);

const object = (type: string) => ({
  ...{ type: "object", properties: { total: { type } }, required: ["total"] },
});
const later = {
  version: "2026-03-01",
  schema: object("integer"),
  example: { total: 42 },
  transform: "export default ({ payload }) => ({ total: String(payload.data.total) })",
  note: "`total` is a number.",
};
const change = { path: "data.total", message: "may be integer, and was string" };

beforeAll(async () => {
  const link = portalLinkSchema.parse({});
  ({ token } = await createPortalLink(api.db, api.account.id, "cust_1", link));
  for (const name of ["order.paid", "user.added"])
    await api.send("PUT", `/event-types/${name}`, {
      ...{ schema: object("string"), example: { total: "42" } },
    });
  const receiverUrl = "http://127.0.0.1:65000/in";
  const input = { receiverUrl, recipient: "cust_1", eventTypes: ["order.*"] };
  id = (await api.send("POST", "/subscriptions", input)).body.id;
});

it("shows a customer nothing to choose while its event types have no versions", async () => {
  const other = await api.send("POST", "/event-types/user.added/versions", later);
  expect(other.status).toBe(201);
  expect(await run(listVersionChoice, { id })).toEqual({ dates: [], ending: [], steps: [] });
});

it("shows what a newer version changes, and moves to it, without the account's code", async () => {
  const made = await api.send("POST", "/event-types/order.paid/versions", later);
  expect(made.status).toBe(201);
  const endsAt = "2030-01-01T00:00:00.000Z";
  await api.send("PATCH", "/event-types/order.paid/versions/first", { endsAt });
  const { version, note } = later;
  expect(await run(listVersionChoice, { id })).toEqual({
    dates: [version],
    ending: [{ type: "order.paid", version: "first", endsAt: new Date(endsAt) }],
    steps: [{ type: "order.paid", version, note, breaking: [change] }],
  });
  const ofVersion = (given?: string) => run(getCatalogType, { name: "order.paid", version: given });
  expect(await ofVersion("first")).toMatchObject({
    ...{ version: "first", versions: [version, "first"], example: '{"total":"42"}' },
  });
  expect(await ofVersion()).toMatchObject({ version, example: '{"total":42}' });
  const seen = JSON.stringify([await ofVersion(), await run(listVersionChoice, { id })]);
  expect(seen).not.toContain("export default");

  expect((await run(updateSubscription, { id, version })).version).toBe(version);
  expect(await run(listVersionChoice, { id })).toEqual({ dates: [version], ending: [], steps: [] });
});
