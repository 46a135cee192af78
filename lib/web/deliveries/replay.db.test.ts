import { describe, expect, it } from "vitest";
import { readRuns } from "#lib/db/testing/test-runs.ts";
import { storeDelivery } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const { send } = api;

const createHook = async (token?: string): Promise<string> => (await api.createHook({}, token)).id;
const { createAction } = api;

describe("POST /deliveries/{id}/replay", () => {
  it("queues a new run of every enabled action, or of the given ones", async () => {
    const hookId = await createHook();
    const deliveryId = await storeDelivery(api.db, api.account.id, hookId);
    const [a, b] = [await createAction(hookId), await createAction(hookId)];
    const off = await createAction(hookId, { enabled: false });
    const all = await send("POST", `/deliveries/${deliveryId}/replay`);
    expect(all.status).toBe(202);
    const actionsOf = (runs: { actionId: string }[]) => runs.map(({ actionId }) => actionId).sort();
    expect(actionsOf(all.body.runs)).toEqual([a, b].sort());
    const one = await send("POST", `/deliveries/${deliveryId}/replay`, { actionIds: [b] });
    expect(one.body.runs).toMatchObject([
      { actionId: b, deliveryId, status: "queued", attemptCount: 0 },
    ]);
    expect((await send("GET", `/deliveries/${deliveryId}`)).body.runs).toHaveLength(3);
    expect(
      (await send("POST", `/deliveries/${deliveryId}/replay`, { actionIds: [off] })).status,
    ).toBe(409);
  });

  it("a duplicate can be replayed; a rejected one and one without actions can't", async () => {
    const hookId = await createHook();
    const keyHash = Buffer.alloc(32, 1);
    await storeDelivery(api.db, api.account.id, hookId, { keyHash });
    const duplicate = await storeDelivery(api.db, api.account.id, hookId, { keyHash });
    expect((await send("POST", `/deliveries/${duplicate}/replay`)).status).toBe(409);
    await createAction(hookId);
    expect((await send("GET", `/deliveries/${duplicate}`)).body.status).toBe("duplicate");
    expect((await send("POST", `/deliveries/${duplicate}/replay`)).status).toBe(202);
    const rejected = await storeDelivery(api.db, api.account.id, hookId, {
      status: "rejected",
      reason: "signature_missing",
    });
    const response = await send("POST", `/deliveries/${rejected}/replay`);
    expect([response.status, response.body.code]).toEqual([409, "conflict"]);
    expect(response.body.detail).toContain("signature_missing");
    expect(await readRuns(api.db, { deliveryId: rejected })).toEqual([]);
  });

  it("actions of another hook or account don't exist, and nothing is queued", async () => {
    const hookId = await createHook();
    const deliveryId = await storeDelivery(api.db, api.account.id, hookId);
    const own = await createAction(hookId);
    const otherHook = await createAction(await createHook());
    for (const actionIds of [[own, otherHook], ["nonsense"], [own, own]]) {
      const response = await send("POST", `/deliveries/${deliveryId}/replay`, { actionIds });
      expect(response.status).toBe(actionIds[0] === actionIds[1] ? 400 : 404);
    }
    expect(await readRuns(api.db, { deliveryId })).toEqual([]);
  });
});
