import { expect, test, vi } from "vitest";
import { createFeed, type FeedUpdates } from "./feed.ts";

type Row = { id: string; kind: string };

function setUp(isChanging = false) {
  const rows: Row[] = [{ id: "01", kind: "a" }];
  const feed = createFeed<string>({
    readNewest: async (_account, kind, limit) => {
      return rows.filter((row) => kind === "" || row.kind === kind).slice(0, limit);
    },
    isChanging: () => isChanging,
    matchAll: "",
  });
  const watch = (filter: string, afterId = "01") => {
    const received: FeedUpdates[] = [];
    const stop = feed.watch({
      accountId: "x",
      filter,
      afterId,
      onUpdates: (updates) => received.push(updates),
    });
    return { received, stop };
  };
  return { rows, watch };
}

const patience = { timeout: 300_000 };

test("each watcher receives matching new items once", { tags: "variant" }, async () => {
  const { rows, watch } = setUp();
  const [all, some] = [watch(""), watch("b", "")];
  rows.unshift({ id: "03", kind: "a" }, { id: "02", kind: "b" });
  await vi.waitFor(
    () => expect([all.received.length, some.received.length]).toEqual([1, 1]),
    patience,
  );
  expect(all.received[0]).toEqual({ ids: ["03", "02"], isMore: false });
  expect(some.received[0]).toEqual({ ids: ["02"], isMore: false });
  rows.unshift({ id: "04", kind: "b" });
  await vi.waitFor(
    () => expect([all.received.length, some.received.length]).toEqual([2, 2]),
    patience,
  );
  expect(some.received[1]).toEqual({ ids: ["04"], isMore: false });
  all.stop();
  some.stop();
});

test("a burst delivers a hundred and reports that there are more", async () => {
  const { rows, watch } = setUp();
  const { received, stop } = watch("");
  rows.unshift(
    ...Array.from({ length: 5_000 }, (_, at) => ({
      id: `9${String(5_000 - at).padStart(4, "0")}`,
      kind: "a",
    })),
  );
  await vi.waitFor(() => expect(received).toHaveLength(1), patience);
  expect(received[0]?.ids).toHaveLength(100);
  expect(received[0]?.isMore).toBe(true);
  stop();
});

test("a list by status receives items that start to match later", async () => {
  const { rows, watch } = setUp(true);
  rows.unshift({ id: "02", kind: "a" });
  const { received, stop } = watch("b");
  await vi.waitFor(() => expect(received).toEqual([]), patience);
  const row = rows[0];
  if (row !== undefined) row.kind = "b";
  await vi.waitFor(() => expect(received).toEqual([{ ids: ["02"], isMore: false }]), patience);
  stop();
});

test("a list whose filter fails holds back no other, is read more rarely, and gets its items later", {
  tags: "variant",
}, async () => {
  const rows: Row[] = [];
  const reads = { "": 0, a: 0, b: 0 };
  let isBroken = true;
  const feed = createFeed<string>({
    readNewest: async (_account, kind, limit) => {
      reads[kind as keyof typeof reads] += 1;
      if (isBroken && kind === "b") throw new Error("It takes too long.");
      return rows.filter((row) => kind === "" || row.kind === kind).slice(0, limit);
    },
    isChanging: (kind) => kind === "a",
    matchAll: "",
  });
  const watch = (filter: string) => {
    const received: FeedUpdates[] = [];
    const onUpdates = (updates: FeedUpdates) => received.push(updates);
    return { received, stop: feed.watch({ accountId: "x", filter, afterId: "", onUpdates }) };
  };
  const [broken, other] = [watch("b"), watch("a")];
  rows.push({ id: "02", kind: "b" }, { id: "01", kind: "a" });
  await vi.waitFor(() => expect(other.received).toHaveLength(1), patience);
  await vi.waitFor(() => expect(reads.a).toBeGreaterThan(6), patience);
  // After one second, two more, and four more.
  expect(reads.b).toBeLessThan(5);
  isBroken = false;
  await vi.waitFor(() => expect(broken.received).toHaveLength(1), patience);
  expect(broken.received).toEqual([{ ids: ["02"], isMore: false }]);
  expect(other.received).toEqual([{ ids: ["01"], isMore: false }]);
  broken.stop();
  other.stop();
});
