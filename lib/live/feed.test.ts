import { expect, test, vi } from "vitest";
import { createFeed, type News } from "./feed.ts";

type Row = { id: string; kind: string };

function setUp(isChanging = false) {
  const rows: Row[] = [{ id: "01", kind: "a" }];
  const feed = createFeed<string>({
    readNewest: async (_account, kind, limit) => {
      return rows.filter((row) => kind === "" || row.kind === kind).slice(0, limit);
    },
    isChanging: () => isChanging,
    everyFit: "",
  });
  const watch = (filter: string, afterId = "01") => {
    const told: News[] = [];
    const stop = feed.watch({ accountId: "x", filter, afterId, tell: (news) => told.push(news) });
    return { told, stop };
  };
  return { rows, watch };
}

const patience = { timeout: 5_000 };

test("everybody is told once what is new to them and fits", async () => {
  const { rows, watch } = setUp();
  const [all, some] = [watch(""), watch("b", "")];
  rows.unshift({ id: "03", kind: "a" }, { id: "02", kind: "b" });
  await vi.waitFor(() => expect([all.told.length, some.told.length]).toEqual([1, 1]), patience);
  expect(all.told[0]).toEqual({ ids: ["03", "02"], isMore: false });
  expect(some.told[0]).toEqual({ ids: ["02"], isMore: false });
  rows.unshift({ id: "04", kind: "b" });
  await vi.waitFor(() => expect([all.told.length, some.told.length]).toEqual([2, 2]), patience);
  expect(some.told[1]).toEqual({ ids: ["04"], isMore: false });
  all.stop();
  some.stop();
});

test("of a burst a hundred are told, and that there are more", async () => {
  const { rows, watch } = setUp();
  const { told, stop } = watch("");
  rows.unshift(
    ...Array.from({ length: 5_000 }, (_, at) => ({
      id: `9${String(5_000 - at).padStart(4, "0")}`,
      kind: "a",
    })),
  );
  await vi.waitFor(() => expect(told).toHaveLength(1), patience);
  expect(told[0]?.ids).toHaveLength(100);
  expect(told[0]?.isMore).toBe(true);
  stop();
});

test("a list of what stands somehow is told what begins to fit later", async () => {
  const { rows, watch } = setUp(true);
  rows.unshift({ id: "02", kind: "a" });
  const { told, stop } = watch("b");
  await vi.waitFor(() => expect(told).toEqual([]), patience);
  const row = rows[0];
  if (row !== undefined) row.kind = "b";
  await vi.waitFor(() => expect(told).toEqual([{ ids: ["02"], isMore: false }]), patience);
  stop();
});
