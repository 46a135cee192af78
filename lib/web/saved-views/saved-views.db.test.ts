import { expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { sweepShortLived } from "#lib/db/deliveries/retention/retention.ts";
import { addMember } from "#lib/db/testing/test-member.ts";
import type { Role } from "#lib/schema/account/role.ts";
import {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  restoreSavedView,
  setDefaultView,
} from "#lib/services/saved-views.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();

it("a view keeps the parameters of its list, under a name that the list has once", async () => {
  const { token } = await api.createAccount("views");
  const call = (method: string, path: string, body?: object) =>
    api.call(method, `/api/v1/saved-views${path}`, { token, ...(body && { body }) });
  const view = { list: "deliveries", name: "Failed", params: { runs: "failed", since: "24h" } };
  const { status, body: saved } = await call("POST", "", view);
  expect([status, saved]).toEqual([201, expect.objectContaining(view)]);

  expect((await call("POST", "", view)).status).toBe(409);
  const ofRuns = { ...view, list: "runs" };
  expect((await call("POST", "", ofRuns)).body.errors).toEqual([
    expect.objectContaining({ path: "params.runs" }),
  ]);
  const other = await call("POST", "", { ...ofRuns, params: { status: "failed" } });
  expect(other.status).toBe(201);
  const listed = await call("GET", "?list=runs");
  expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([other.body.id]);

  const path = `/${saved.id}`;
  expect((await call("PATCH", path, { params: { reason: "x" } })).status).toBe(400);
  const changed = await call("PATCH", path, { name: "Rejected", params: { status: "rejected" } });
  expect(changed.body).toMatchObject({ name: "Rejected", params: { status: "rejected" } });
  expect((await call("POST", "", view)).status).toBe(201);
  expect((await call("PATCH", path, { name: "Failed" })).status).toBe(409);
  expect((await call("DELETE", path)).status).toBe(204);
  expect((await call("GET", path)).status).toBe(404);
});

it("an admin makes one view of a list the default, and another one takes its place", async () => {
  const { id: accountId } = await api.createAccount("defaults");
  const userId = await addMember(api.db, accountId, "admin");
  const user = { type: "user", accountId, userId, email: "ada@example.com" } as const;
  const as = (role: Role) =>
    testContext(api.db, accountId, {
      actor: { ...user, role, sessionId: newId(), maskedFields: [] },
    });
  const save = (name: string) =>
    createSavedView(as("member"), { list: "runs", name, params: { status: "failed" } });
  const [first, second] = [await save("First"), await save("Second")];
  const setDefault = (role: Role, id: string, isDefault = true) =>
    setDefaultView(as(role), { id, isDefault });
  await expect(setDefault("member", first.id)).rejects.toMatchObject({ code: "forbidden" });
  const listDefaults = async () => {
    const { items } = await listSavedViews(as("viewer"), { list: "runs" });
    return items.filter(({ isDefault }) => isDefault).map(({ name }) => name);
  };
  await setDefault("admin", first.id);
  await setDefault("admin", second.id);
  expect(await listDefaults()).toEqual(["Second"]);

  // A deletion is taken back exactly, unless its place or name is taken.
  await deleteSavedView(as("member"), { id: second.id });
  expect(await listDefaults()).toEqual([]);
  await setDefault("admin", first.id);
  expect(await restoreSavedView(as("member"), { id: second.id })).toEqual({
    ...second,
    updatedAt: expect.any(Date),
  });
  expect(await listDefaults()).toEqual(["First"]);
  await expect(restoreSavedView(as("member"), { id: second.id })).rejects.toMatchObject({
    code: "not_found",
  });
  await deleteSavedView(as("member"), { id: second.id });
  await save("Second");
  await expect(restoreSavedView(as("member"), { id: second.id })).rejects.toMatchObject({
    code: "conflict",
  });

  // A minute later it is gone.
  await sweepShortLived(api.db);
  expect(await api.db.savedView.count({ where: { accountId } })).toBe(3);
  const longAgo = new Date(Date.now() - 120_000);
  await api.db.savedView.update({ where: { id: second.id }, data: { deletedAt: longAgo } });
  await sweepShortLived(api.db);
  expect(await api.db.savedView.count({ where: { accountId } })).toBe(2);
});
