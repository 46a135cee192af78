import fc from "fast-check";
import { expect, test } from "vitest";
import { parsePath, readSteps, splitPaths, writePath } from "./value-path.ts";

test.each<[string, (string | number)[]]>([
  ["type", ["type"]],
  ["data.object.id", ["data", "object", "id"]],
  [`data.a-b[0]["x y"]['z.w'].q`, ["data", "a-b", 0, "x y", "z.w", "q"]],
  ['payload["data[email]"]', ["payload", "data[email]"]],
  ['query["a[]"]', ["query", "a[]"]],
  [`query['filter[status][]'][0]`, ["query", "filter[status][]", 0]],
  ['["hub.mode"]', ["hub.mode"]],
  ['[0]["a"][-1]', [0, "a", -1]],
  ["items.0.id", ["items", "0", "id"]],
  [`a["it's"]['say "hi"']`, ["a", "it's", 'say "hi"']],
  [
    String.raw`a["say \"hi\""]['it\'s']["b\\c"]["\u00e9\n"]`,
    ["a", 'say "hi"', "it's", "b\\c", "é\n"],
  ],
  ['a[ "x" ][ 1 ]', ["a", "x", 1]],
  ["größe.名前", ["größe", "名前"]],
  ["@type.$ref.a:b", ["@type", "$ref", "a:b"]],
  ['[""]', [""]],
])("%s is read as %j", (path, steps) => {
  expect(parsePath(path)).toEqual({ ok: true, steps });
  expect(readSteps(path)).toEqual(steps);
});

test.each([
  ["payload.data[email]", 'if the name is "data[email]", write payload["data[email]"]'],
  ["payload.data[email]", 'for a field inside, write ["email"]'],
  ["query.a[]", 'has brackets without an index: if the name is "a[]", write query["a[]"]'],
  ["filter[status][]", 'write ["filter[status][]"]'],
  ["line_items[0][sku]", 'write ["line_items[0][sku]"]'],
  ["a..b", "has an empty name. Put one dot between two names"],
  ["a.", "has an empty name"],
  [".a", "has an empty name"],
  ["", "must not be empty"],
  ['a.["b"]', "remove the dot"],
  ["a[0]b", "needs a dot or a bracket after ]"],
  [
    "a b",
    'has white space in a name without quotes: write the name in quotes and brackets, as in data["x y"]',
  ],
  ['a"b', 'has " in a name without quotes'],
  ["a]", "has ] in a name without quotes"],
  ["a\u0000b", "has a control character"],
  ["a[0", "has an open bracket or quotation mark"],
  ['a["b]', "has an open bracket or quotation mark"],
  [`a["b']`, "has an open bracket or quotation mark"],
  [String.raw`a["\1"]`, "has an escape that isn't known"],
  [String.raw`a["\u12"]`, "has an escape that isn't known"],
])("%j isn't a path, and %s", (path, message) => {
  const parsed = parsePath(path);
  expect(parsed.ok ? "" : parsed.message).toContain(message);
});

test("property: what is written is read back, and no text stops the reader", () => {
  const name = fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.constantFrom("0", "a[b]", "'\"", "{{%}}", "\\u007b", "\ud800", "\0", "é\u2028"),
  );
  const step = fc.oneof(name, fc.integer({ min: -1_000, max: 999_999_999 }));
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), (steps) => {
      expect(parsePath(writePath(steps))).toEqual({ ok: true, steps });
      expect(splitPaths(`${writePath(steps)},x, ${writePath(steps)}`)).toEqual([
        writePath(steps),
        "x",
        writePath(steps),
      ]);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."[]\"'.\\a0 ") }), (text) => {
      const parsed = parsePath(text);
      if (parsed.ok) expect(parsePath(writePath(parsed.steps))).toEqual(parsed);
    }),
  );
});

test("a path that an older version stored keeps its names", () => {
  expect(readSteps("data[email]")).toEqual(["data[email]"]);
  expect(readSteps("order.items[0][id]")).toEqual(["order", "items[0][id]"]);
});
