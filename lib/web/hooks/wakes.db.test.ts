import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runsDueChannel } from "#lib/db/queue/notify.ts";
import { storeDelivery } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const { send } = api;

let client: Client;
let wakes = 0;
beforeAll(async () => {
  client = new Client({ connectionString: api.url });
  await client.connect();
  client.on("notification", () => {
    wakes += 1;
  });
  await client.query(`listen ${runsDueChannel}`);
});
afterAll(() => client.end());

type Wakes = { readonly name: string; readonly by: () => Promise<unknown> };

async function replay(): Promise<string> {
  const { id: hookId } = await api.createHook({});
  await api.createAction(hookId);
  const deliveryId = await storeDelivery(api.db, api.account.id, hookId);
  const { body } = await send("POST", `/deliveries/${deliveryId}/replay`);
  return body.runs[0].id;
}

const cases: readonly Wakes[] = [
  { name: "a replay", by: replay },
  {
    name: "a hook that is resumed",
    by: async () => {
      const { id } = await api.createHook({});
      await send("POST", `/hooks/${id}/pause`);
      await send("POST", `/hooks/${id}/resume`);
    },
  },
  {
    name: "a hook that a change makes active",
    by: async () => {
      const { id } = await api.createHook({});
      await send("PATCH", `/hooks/${id}`, { status: "paused" });
      await send("PATCH", `/hooks/${id}`, { status: "active" });
    },
  },
  {
    name: "an action that is switched on",
    by: async () => {
      const actionId = await api.createAction((await api.createHook({})).id, { enabled: false });
      await send("PATCH", `/actions/${actionId}`, { enabled: true });
    },
  },
];

it.each(cases)(
  "$name wakes idle workers, which would otherwise find its runs a second later",
  async ({ by }) => {
    wakes = 0;
    await by();
    await expect.poll(() => wakes).toBe(1);
  },
);

it("a retried run does so too", async () => {
  wakes = 0;
  const runId = await replay();
  await expect.poll(() => wakes).toBe(1);
  await send("POST", `/runs/${runId}/cancel`);
  await send("POST", `/runs/${runId}/retry`);
  await expect.poll(() => wakes).toBe(2);
});
