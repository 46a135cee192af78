import fc from "fast-check";
import { expect, it } from "vitest";
import { maxFields, toFieldTerms, toSearchTerms } from "./field-terms.ts";
import { readPayloadSearch } from "./payload-search.ts";

const hookId = "0199f3a0-0000-7000-8000-000000000000";
const formType = "application/x-www-form-urlencoded; charset=utf-8";

function finds(text: string, body: string, contentType: string | null = null): boolean | null {
  const search = readPayloadSearch(text);
  const wanted = search === null ? null : toSearchTerms([hookId], search);
  const terms = toFieldTerms(hookId, { body: Buffer.from(body), contentType });
  return wanted === null ? null : wanted.some((term) => terms.has(term));
}

it.each([
  ["a.b = x", '{"a":{"b":"x"}}'],
  ["items.1.sku = B", '{"items":[{"sku":"A"},{"sku":"B"}]}'],
  ["total = 1.10", '{"total":1.10}'],
  ["id = 12345678901234567890", '{"id":12345678901234567890}'],
  ["n = 1e5", "[0,{}]", null, false],
  ["paid = true", '{"paid":true}'],
  ["none = null", '{"none":null}'],
  ['empty = ""', '{"empty":""}'],
  ["name = Zoë", '{"name":"Zo\\u00eb"}'],
  ["a = 2", '{"a":1,"a":2}'],
  ["a = 1", '\ufeff{"a":1}'],
  ["a.b = x y", "a.b=x+y&c=1", formType],
  ["total = 1.1", '{"total":1.10}', null, false],
  ["a = 1", '{"a":"10"}', null, false],
  ["a = 1", "not JSON", null, false],
])("%s is searched in %s", (text, body, contentType = null, isFound = true) => {
  expect(finds(text, body, contentType)).toBe(isFound);
});

it.each(["a = {}", "a = [1]", "items.-1 = x", "items.01 = x"])("%s has no term", (text) => {
  expect(finds(text, "{}")).toBeNull();
});

it("finds every value that a search can name", () => {
  const key = fc.stringMatching(/^[a-z_0-9]{1,8}$/).filter((name) => !/^0\d/.test(name));
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      fc
        .string({ minLength: 1 })
        .filter((text) => /^[^\s[{"]/u.test(text) && !/[\s"]$/u.test(text)),
      fc.integer(),
      fc.boolean(),
      fc.dictionary(key, tie("tree"), { maxKeys: 4 }),
      fc.array(tie("tree"), { maxLength: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(key, tree), (payload) => {
      const body = JSON.stringify(payload);
      return listValues(payload).every(([path, value]) => finds(`${path} = ${value}`, body));
    }),
  );
});

function listValues(value: unknown, path: readonly string[] = []): [string, string][] {
  if (typeof value !== "object" || value === null) return [[path.join("."), String(value)]];
  return Object.entries(value).flatMap(([name, child]) => listValues(child, [...path, name]));
}

it("a payload with more fields than are indexed is found by every search, and by no other hook's", () => {
  const many = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at])));
  expect(finds("other = 1", many(maxFields))).toBe(false);
  expect(finds("other = 1", many(maxFields + 1))).toBe(true);
  expect(finds("other = 1", `${"[".repeat(200)}${"]".repeat(200)}`)).toBe(true);
  const others = toSearchTerms(["0199f3a0-0000-7000-8000-000000000001"], {
    path: ["f0"],
    value: "0",
  });
  const terms = toFieldTerms(hookId, { body: Buffer.from(many(600)), contentType: null });
  expect(others?.some((term) => terms.has(term))).toBe(false);
});
