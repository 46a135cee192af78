import { describe, expect, it } from "vitest";
import { listManaged, readManaged } from "#lib/services/configuration/managed.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { fileOf, withConfiguration } from "#lib/web/testing/with-configuration.ts";

const configuration = withConfiguration();
const { api, send, apply } = configuration;

const token = () => configuration.account.token;
const file = (rate: number) =>
  fileOf(
    "managedBy: billing",
    "hooks:",
    `  - { name: Orders, ratePerSecond: ${rate}, actions: [] }`,
    "eventTypes:",
    "  - { name: order.paid }",
  );
const hookId = async () => (await api.send("GET", "/hooks", undefined, token())).body.data[0].id;
const context = () => testContext(api.db, configuration.account.id);

describe("something that files manage", () => {
  it("can be changed, and the next plan says what was changed, by whom, and that apply undoes it", async () => {
    await apply([file(1)]);
    const id = await hookId();
    expect(await readManaged(context(), { kind: "hook", id })).toEqual({
      managedBy: "billing",
      changed: null,
    });
    expect((await send("plan", [file(1)])).body.changedOutside).toEqual([]);
    await api.send("PATCH", `/hooks/${id}`, { ratePerSecond: 9 }, token());
    await api.send("PUT", "/event-types/order.paid", { description: "Paid" }, token());
    expect(await readManaged(context(), { kind: "hook", id })).toMatchObject({
      changed: { fields: ["ratePerSecond"] },
    });
    const hook = { kind: "hook", what: 'hook "Orders"', fields: ["ratePerSecond"] };
    const type = { kind: "event type", what: 'event type "order.paid"', fields: [] };
    const stays = (await send("plan", [file(9)])).body;
    expect(stays.changedOutside.toSorted(byKind)).toMatchObject([
      { ...type, isUndone: true, isDeleted: false },
      { ...hook, isUndone: false },
    ]);
    const undone = await apply([file(1)]);
    expect(undone.changedOutside.toSorted(byKind)).toMatchObject([
      { ...type, isUndone: true },
      { ...hook, isUndone: true, by: expect.any(String), at: expect.any(String) },
    ]);
    expect((await send("plan", [file(1)])).body.changedOutside).toEqual([]);
    expect((await readManaged(context(), { kind: "hook", id }))?.changed).toBeNull();
  });

  it("that was deleted is said to be, and added again", async () => {
    await apply([file(1)]);
    await api.send("DELETE", "/event-types/order.paid", undefined, token());
    const plan = (await send("plan", [file(1)])).body;
    expect(plan.changedOutside).toMatchObject([
      { what: 'event type "order.paid"', isDeleted: true, isUndone: true },
    ]);
    // A new one of this name isn't the one that had the mark.
    await api.send("PUT", "/event-types/order.paid", {}, token());
    expect(await readManaged(context(), { kind: "event type", id: "order.paid" })).toBeNull();
  });

  it("is released: it stays, has no mark, and prune leaves it alone", async () => {
    await apply([file(1)]);
    const id = await hookId();
    const released = { kind: "hook", id };
    const twice = [released, released].map((body) =>
      api.send("POST", "/configuration/release", body, token()),
    );
    expect((await Promise.all(twice)).map(({ status }) => status)).toEqual([204, 204]);
    expect(await listManaged(context(), { kind: "hook", ids: [id] })).toEqual(new Map());
    const none = fileOf(
      "managedBy: billing",
      "hooks: []",
      "eventTypes:",
      "  - { name: order.paid }",
    );
    const { prunedCount, items } = (await send("plan", [none], { prune: true })).body;
    expect([prunedCount, items]).toEqual([0, []]);
    const log = await api.send("GET", "/audit?event=configuration.released", undefined, token());
    expect(log.body.data).toMatchObject([{ targets: [{ type: "hook", id }] }]);
  });

  it("is exported alone, as an entry that files can have", async () => {
    await apply([file(7)]);
    const id = await hookId();
    const one = await api.send("GET", `/configuration?kind=hook&id=${id}`, undefined, token());
    expect(one.body).toMatchObject({ hooks: [{ name: "Orders", ratePerSecond: 7 }] });
    expect(Object.keys(one.body)).toEqual(["format", "hooks"]);
    expect((await send("plan", [one.text])).body.items).toEqual([]);
    const status = async (query: string) =>
      (await api.send("GET", `/configuration?${query}`, undefined, token())).status;
    expect(await status(`kind=action&id=${id}`)).toBe(404);
    expect(await status("kind=hook")).toBe(400);
  });
});

const byKind = (one: { kind: string }, other: { kind: string }) => (one.kind < other.kind ? -1 : 1);
