import { expect, test } from "vitest";
import { readDeliveryQuery } from "#lib/web/deliveries/delivery-filters.ts";
import { pageLinks } from "./list-query.ts";

const nowMs = Date.parse("2026-11-21T12:00:00Z");

test("a URL without filters selects everything", () => {
  const { filter, problems, cursor } = readDeliveryQuery({}, nowMs);
  expect({ filter, problems, cursor }).toEqual({ filter: {}, problems: {}, cursor: undefined });
});

test("URL filters are those of the API; a relative time counts back from now", () => {
  const params = {
    status: "rejected",
    eventType: "a.b",
    q: "x",
    since: "24h",
    eventId: "",
    other: "?",
  };
  const { filter } = readDeliveryQuery(params, nowMs);
  expect(filter).toEqual({
    status: "rejected",
    eventType: "a.b",
    q: "x",
    from: nowMs - 86_400_000,
  });
});

test("times of the form are UTC, and only count for a custom range", () => {
  const range = { from: "2026-11-20T08:00", to: "2026-11-20T09:30" };
  expect(readDeliveryQuery({ ...range, since: "between" }, nowMs).filter).toEqual({
    from: Date.parse("2026-11-20T08:00Z"),
    to: Date.parse("2026-11-20T09:30Z"),
  });
  expect(readDeliveryQuery(range, nowMs).filter).toEqual({});
});

test("an invalid filter is reported at its field, and selects nothing else", () => {
  const { filter, problems } = readDeliveryQuery({ status: "lost", q: "x" }, nowMs);
  expect(filter).toEqual({});
  expect(problems.status).toMatch(/must be one of accepted/);
});

test("older and newer lead through the pages and back, and keep the filters", () => {
  const toQuery = (href: string | null) =>
    readDeliveryQuery(Object.fromEntries(new URL(href ?? "", "http://x").searchParams), nowMs);
  const first = readDeliveryQuery({ q: "x" }, nowMs);
  const toSecond = pageLinks("/deliveries", first, "c2");
  expect(toSecond).toEqual({ older: "/deliveries?q=x&cursor=c2", newer: null, newest: null });
  const second = toQuery(toSecond.older);
  const third = toQuery(pageLinks("/deliveries", second, "c3").older);
  expect([third.cursor, third.values.q]).toEqual(["c3", "x"]);
  const back = pageLinks("/deliveries", third, null);
  expect(back).toEqual({
    older: null,
    newer: "/deliveries?q=x&cursor=c2",
    newest: "/deliveries?q=x",
  });
  expect(pageLinks("/deliveries", toQuery(back.newer), "c3").newer).toBe("/deliveries?q=x");
});
