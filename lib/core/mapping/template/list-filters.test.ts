import { describe, expect, test } from "vitest";
import { renderString } from "./render-template.ts";
import { contextOf } from "./testing/test-context.ts";

const context = contextOf(`{"data":{
  "items":[{"sku":"A","price":1.10,"tag":{"k":1}},{"sku":"B","price":1.1},{"sku":"A","price":2}],
  "words":["b","a","b"],"numbers":[1.0,1,1.00,2,null],"one":{"sku":"A"},"empty":[],"nothing":null,
  "mixed":[{"a":1},{"b":2}],"text":"","count":5}}`);

function render(source: string): unknown {
  const rendered = renderString(source, { context, nowMs: 0 });
  return rendered.ok ? rendered.value : rendered.messages;
}

const none = ["skku is not in any of the 3 items of this list"];

describe("a name that no item has", () => {
  test.each([
    "map: 'skku'",
    "sum: 'skku'",
    "sort: 'skku'",
    "sort_natural: 'skku'",
    "where: 'skku'",
    "where: 'skku', 'A'",
    "where: 'skku', nil",
    "reject: 'skku', 'A'",
    "find: 'skku', 'A'",
    "uniq: 'skku'",
    "compact: 'skku'",
    "map: 'skku' | first",
    "map: 'skku' | join: ',' | upcase",
    "where: 'skku', 'A' | size",
    "sort: 'skku' | map: 'sku' | last",
  ])("fails like a missing name: %s", (filters) => {
    expect(render(`{{ data.items | ${filters} }}`)).toEqual(none);
    expect(render(`{% echo data.items | ${filters} %}`)).toEqual(none);
    expect(render(`{% assign x = data.items | ${filters} %}ok`)).toEqual(none);
    expect(render(`x{% capture y %}{{ data.items | ${filters} }}{% endcapture %}`)).toEqual(none);
    expect(render(`{{ data.items | ${filters} | default: "-" }}`)).toBe("-");
    expect(render(`{% if data.items | ${filters} %}yes{% else %}no{% endif %}`)).toBe("no");
  });

  test.each([
    ["{{ data.items | map: 'tag.nope' }}", "tag.nope is not in any of the 3 items of this list"],
    ["{{ data.words | map: 'sku' }}", "sku is not in any of the 3 items of this list"],
    ["{{ data.one | map: 'price' }}", "price is not in the only item of this list"],
    ["{{ data.items | map: '' }}", " is not in any of the 3 items of this list"],
    ["{{ data.items | map: '__proto__' }}", "__proto__ is not in any of the 3 items of this list"],
    [
      "{{ data.items | where: 'constructor' }}",
      "constructor is not in any of the 3 items of this list",
    ],
  ])("is named: %s", (source, message) => {
    expect(render(source)).toEqual([message]);
  });

  test("is reported with the other missing names", () => {
    expect(render("{{ data.items | sum: 'skku' }}{{ data.nope }}")).toEqual([
      ...none,
      "data.nope is not in this payload",
    ]);
  });

  test.each([
    ["{{ data.items | map: 'tag.k' | json }}", "[1,null,null]"],
    ["{{ data.mixed | sum: 'a' }}", 1],
    ["{{ data.mixed | where: 'b' | size }}", 1],
    ["{{ data.mixed | sort: 'b' | first | json }}", '{"b":2}'],
    ["{{ data.empty | map: 'sku' | json }}", "[]"],
    ["{{ data.empty | sum: 'price' }}", 0],
    ["{{ data.nothing | map: 'sku' | json }}", "[]"],
  ])("isn't one that some items have, or an empty list: %s", (source, expected) => {
    expect(render(source)).toEqual(expected);
  });
});

describe("an item that isn't there", () => {
  test.each([
    ["data.empty | first", "there is no first item: the list is empty"],
    ["data.empty | last", "there is no last item: the list is empty"],
    ["data.nothing | first", "there is no first item: the list is null"],
    ["data.items | where: 'sku', 'Z' | first", "there is no first item: the list is empty"],
    ["data.items | find: 'sku', 'Z'", 'no item of this list has sku "Z"'],
    ["data.items | find: 'price', 3 | json", "no item of this list has price 3"],
  ])("fails where it is used: %s", (expression, message) => {
    expect(render(`{{ ${expression} }}`)).toEqual([message]);
    expect(render(`{% assign x = ${expression} %}{{ x }}`)).toEqual([message]);
    expect(render(`{% assign x = ${expression} %}{% if x %}yes{% else %}no{% endif %}`)).toBe("no");
    expect(render(`{% assign x = ${expression} %}{{ x | default: "-" }}`)).toBe("-");
    expect(render(`{{ ${expression} | default: "-" }}`)).toBe("-");
  });

  test("has no fields either", () => {
    expect(render("{% assign x = data.items | find: 'sku', 'Z' %}{{ x.price }}")).toEqual([
      expect.stringContaining("x.price is not"),
    ]);
  });

  test("of what isn't a list fails, and the text without characters has none", () => {
    expect(render("{{ data.count | first }}")).toEqual([
      "first needs a list or text: choose one in 5",
    ]);
    expect(render("{{ data.text | first }}")).toBeNull();
  });
});

test.each([
  ["{{ data.words | uniq | join: ',' }}", "b,a"],
  ["{{ data.numbers | uniq | json }}", "[1.0,2,null]"],
  ["{{ data.items | uniq: 'sku' | map: 'price' | json }}", "[1.10,1.1]"],
  ["{{ data.items | uniq: 'price' | size }}", 2],
  ["{{ data.items | compact: 'tag' | size }}", 1],
  ["{{ data.numbers | compact | size }}", 4],
])("%s is %j", (source, expected) => {
  expect(render(source)).toEqual(expected);
});
