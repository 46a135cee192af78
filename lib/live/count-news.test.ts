import { expect, test } from "vitest";
import { countNews } from "./count-news.ts";

const newest = [
  { id: "05", hookId: "b" },
  { id: "04", hookId: "a" },
  { id: "03", hookId: "a" },
];

test("only what came after, and of the hook that is looked at, is new", () => {
  expect(countNews(newest, { hookId: null, afterId: "03" })).toEqual({ count: 2, isMore: false });
  expect(countNews(newest, { hookId: "a", afterId: "03" })).toEqual({ count: 1, isMore: false });
  expect(countNews(newest, { hookId: "a", afterId: "05" })).toEqual({ count: 0, isMore: false });
});

test("where all that were looked at are new there may be more", () => {
  const many = Array.from({ length: 100 }, (_, at) => ({ id: String(900 - at), hookId: "a" }));
  expect(countNews(many, { hookId: null, afterId: "1" })).toEqual({ count: 100, isMore: true });
  expect(countNews(many, { hookId: null, afterId: "801" })).toEqual({ count: 99, isMore: false });
});
