import { expect, test } from "vitest";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { buildPayloadTree, type PayloadNode } from "./payload-tree.ts";
import { TextBudget } from "./text-budget.ts";

function treeOf(json: string, bytes = 200_000): PayloadNode {
  const parsed = parseExactJson(json);
  if (!parsed.ok) throw new Error(parsed.message);
  return buildPayloadTree(parsed.value, new TextBudget(bytes));
}

test("numbers keep the digits they were sent with", () => {
  const tree = treeOf('{"data":{"big":12345678901234567890123,"price":1.10,"plain":4200}}');
  const [data] = tree.children;
  expect(data?.children.map(({ path, text, kind }) => [path, text, kind])).toEqual([
    ["data.big", "12345678901234567890123", "number"],
    ["data.price", "1.10", "number"],
    ["data.plain", "4200", "number"],
  ]);
});

test("a large payload is cut to the budget and says where", () => {
  const rows = Array.from({ length: 5_000 }, (_, id) => ({ id, html: "<b>".repeat(100) }));
  const tree = treeOf(JSON.stringify({ rows, last: "here" }));
  expect(JSON.stringify(tree).length).toBeLessThan(200_000);
  expect(tree.children.map(({ key }) => key)).toEqual(["rows", "last"]);
  expect(tree.children[0]).toMatchObject({ size: 5_000, isCut: true });
});

test("values nested deeper than a page can draw are cut", () => {
  const tree = treeOf(`${"[".repeat(120)}${"]".repeat(120)}`);
  let node: PayloadNode | undefined = tree;
  let levels = 0;
  for (; node?.children[0] !== undefined; node = node.children[0]) levels += 1;
  expect(levels).toBe(64);
  expect(node?.isCut).toBe(true);
});
