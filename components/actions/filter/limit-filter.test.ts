import { expect, test } from "vitest";
import { type ActionDraft, newDraft } from "../draft/action-draft.ts";
import {
  type FilterDraft,
  noFilter,
  readFilterDraft,
  toFilterDraft,
} from "../draft/filter-draft.ts";
import {
  addType,
  canLimit,
  limitToDelivery,
  offerLimit,
  readTypes,
  removeType,
  requireField,
} from "./limit-filter.ts";

const paid = "checkout.session.completed";

function read(filter: FilterDraft) {
  const result = readFilterDraft(filter);
  return result.ok ? result.filter : result.errors;
}

test("the first event type becomes a condition, a second one a list, and the last one none", () => {
  const one = addType(noFilter, paid);
  expect(read(one)).toEqual({
    all: [{ path: "delivery.eventType", op: "equals", value: paid }],
  });
  const two = addType(one, "a, b");
  expect(read(two)).toEqual({
    all: [{ path: "delivery.eventType", op: "in", value: [paid, "a, b"] }],
  });
  expect(readTypes(two)).toEqual([paid, "a, b"]);
  expect(read(removeType(two, "a, b"))).toEqual(read(one));
  expect(read(removeType(one, paid))).toBeNull();
  expect(readTypes(noFilter)).toBeNull();
});

test("a type that looks like a number stays text", () => {
  expect(read(addType(noFilter, "42"))).toEqual({
    all: [{ path: "delivery.eventType", op: "equals", value: "42" }],
  });
  expect(readTypes(addType(noFilter, "42"))).toEqual(["42"]);
});

test("a condition on the type that a person wrote is extended, and other conditions stay", () => {
  const written = toFilterDraft({
    all: [
      { path: "type", op: "equals", value: paid },
      { path: "data.total", op: "gt", value: 5 },
    ],
  });
  expect(readTypes(written)).toEqual([paid]);
  expect(read(addType(written, "other"))).toEqual({
    all: [
      { path: "type", op: "in", value: [paid, "other"] },
      { path: "data.total", op: "gt", value: 5 },
    ],
  });
});

test("a field can be required, in an empty row if there is one", () => {
  const withEmpty = { ...noFilter, rows: [{ key: 3, path: "", op: "equals", value: "" }] } as const;
  const filter = requireField(withEmpty, "data.mail");
  expect(filter.rows).toHaveLength(1);
  expect(read(filter)).toEqual({ all: [{ path: "data.mail", op: "exists" }] });
});

test("conditions of which any or none must match are left alone", () => {
  const two = [
    { path: "a", op: "exists" },
    { path: "b", op: "exists" },
  ] as const;
  expect(canLimit(toFilterDraft({ any: two }))).toBe(false);
  expect(canLimit(toFilterDraft({ none: [two[0]] }))).toBe(false);
  expect(canLimit(toFilterDraft({ any: [two[0]] }))).toBe(true);
  expect(canLimit({ ...noFilter, mode: "json" })).toBe(false);
  expect(read(addType(toFilterDraft({ any: [two[0]] }), paid))).toMatchObject({
    all: [{ path: "a" }, { path: "delivery.eventType" }],
  });
});

test("where a field is missing, the type that it was mapped for is offered, or else the field", () => {
  const mapped = offerLimit(noFilter, "data.total", { chosen: "other", fitting: paid });
  expect(mapped?.label).toBe(`Run only for ${paid}`);
  expect(mapped && readTypes(mapped.filter)).toEqual([paid]);
  const unknown = offerLimit(noFilter, "data.total", { chosen: paid, fitting: paid });
  expect(unknown?.label).toBe("Run only for deliveries with data.total");
  expect(unknown && read(unknown.filter)).toEqual({ all: [{ path: "data.total", op: "exists" }] });
  expect(offerLimit(noFilter, "steps.find.body", { chosen: paid, fitting: null })).toBeNull();
});

test("an action that is made from a delivery begins with its type, unless the draft says for which", () => {
  const source = { deliveries: [{ id: "d1", eventType: paid }] };
  const types = (draft: ActionDraft, id?: string) =>
    readTypes(limitToDelivery(draft, source, id).filter);
  expect(types(newDraft, "d1")).toEqual([paid]);
  expect(types(newDraft)).toBeNull();
  expect(types({ ...newDraft, filter: addType(noFilter, "other") }, "d1")).toEqual(["other"]);
});
