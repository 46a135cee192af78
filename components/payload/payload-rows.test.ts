import { expect, test } from "vitest";
import {
  chooseOpen,
  copyText,
  listBranches,
  listRows,
  type PayloadNodeView,
  searchTree,
  stepInTree,
} from "./payload-rows.ts";

const leaf = (key: string | number, text: string): PayloadNodeView => ({
  key,
  path: `data.${key}`,
  kind: "text",
  text,
  size: text.length,
  isCut: false,
  children: [],
});
const branch = (key: string | null, ...children: PayloadNodeView[]): PayloadNodeView => ({
  key,
  path: key,
  kind: "object",
  text: "",
  size: children.length,
  isCut: false,
  children,
});

const root = branch(
  null,
  leaf("id", "evt_1"),
  branch("data", branch("object", leaf("email", "Ada@example.com"), leaf("name", "Ada"))),
  branch("headers", leaf("x-id", "7")),
);
const all = listBranches(root);
const names = (rows: readonly { node: PayloadNodeView }[]) => rows.map(({ node }) => node.key);

test("collapsed branches hide their content; rows have their level and position", () => {
  expect(names(listRows(root, new Set()))).toEqual(["id", "data", "headers"]);
  const rows = listRows(root, all);
  expect(names(rows)).toEqual(["id", "data", "object", "email", "name", "headers", "x-id"]);
  expect(rows[4]).toMatchObject({
    level: 3,
    position: 2,
    setSize: 2,
    parentId: "1.0",
    kind: "leaf",
  });
});

test("a search finds names, values, and paths in any case, and keeps their parents", () => {
  const found = searchTree(root, "ADA@");
  expect([...(found?.hits ?? [])]).toEqual(["1.0.0"]);
  expect(names(listRows(root, all, found?.shown ?? null))).toEqual(["data", "object", "email"]);
  expect([...(searchTree(root, "x-id")?.hits ?? [])]).toEqual(["2.0"]);
  expect(searchTree(root, "nowhere")?.hits.size).toBe(0);
  expect(searchTree(root, "  ")).toBeNull();
});

test("omitted entries have their own row", () => {
  const cut = { ...branch(null, leaf("a", "1")), size: 9, isCut: true };
  expect(listRows(cut, all).map(({ kind, setSize }) => [kind, setSize])).toEqual([
    ["leaf", 2],
    ["more", 2],
  ]);
});

test("a large tree starts collapsed if it wouldn't fit", () => {
  const wide = branch("wide", ...Array.from({ length: 100 }, (_, at) => leaf(String(at), "x")));
  expect([...chooseOpen(branch(null, branch("small", leaf("a", "1")), wide))]).toEqual(["0"]);
});

test("the keys of a tree follow the ARIA pattern", () => {
  const closed = listRows(root, new Set());
  const rows = listRows(root, all);
  const step = (key: string, id: string, of = rows) => stepInTree(of, id, key);
  expect(step("ArrowDown", "0")).toEqual({ kind: "focus", id: "1" });
  expect(step("ArrowUp", "0")).toBeNull();
  expect(step("End", "0")).toEqual({ kind: "focus", id: "2.0" });
  expect(step("ArrowRight", "1", closed)).toEqual({ kind: "toggle", id: "1" });
  expect(step("ArrowRight", "1")).toEqual({ kind: "focus", id: "1.0" });
  expect(step("ArrowLeft", "1")).toEqual({ kind: "toggle", id: "1" });
  expect(step("ArrowLeft", "1.0.0")).toEqual({ kind: "focus", id: "1.0" });
  expect(step("n", "0")).toEqual({ kind: "focus", id: "1.0.1" });
  expect(step("z", "0")).toBeNull();
});

test("a value is copied completely with all digits, or not at all", () => {
  const number = { ...leaf("n", "12345678901234567890123"), kind: "number" as const };
  const list = {
    ...branch("list", { ...leaf(0, 'say "hi"'), key: 0 }, number),
    kind: "list" as const,
  };
  expect(copyText(branch("data", leaf("a", "x"), list, branch("none")))).toBe(
    '{\n  "a": "x",\n  "list": [\n    "say \\"hi\\"",\n    12345678901234567890123\n  ],\n  "none": {}\n}',
  );
  expect(copyText(leaf("a", 'plain "text"'))).toBe('plain "text"');
  expect(copyText(branch("data", { ...leaf("a", "x"), isCut: true }))).toBeNull();
});
