import { expect, it } from "vitest";
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
