import fc from "fast-check";
import { expect, test } from "vitest";
import { findJsonFault, placeOf } from "./scan-json.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return true;
  } catch {
    return false;
  }
}

test("agrees with JSON.parse on what is JSON", () => {
  const broken = fc
    .tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom(..."{}[],:\"\\'\n\tunta01.-e+ ", "{{ id }}", "\u0001", "\\u12", ""),
    )
    .map(([json, place, piece]) => {
      const at = place % (json.length + 1);
      return `${json.slice(0, at)}${piece}${json.slice(at + 1)}`;
    });
  fc.assert(
    fc.property(fc.oneof(fc.json(), broken, fc.string()), (text) => {
      expect([text, findJsonFault(text) === null]).toEqual([text, isJson(text)]);
    }),
    { numRuns: 3_000 },
  );
});

test("says where the error is and what to change", () => {
  const faults: readonly [json: string, place: string, message: RegExp][] = [
    ['{"a": 1,}', "1:9", /remove the comma before }/],
    ["{'a': 1}", "1:2", /double quotes, not single/],
    ['{\n  "a": {{ id }}\n}', "2:8", /template needs double quotes/],
    ['{"a": 1 "b": 2}', "1:9", /comma or }/],
    ['{"a" 1}', "1:6", /colon/],
    ['{"id": "evt", ', "1:15", /text ends here/],
    ['["a\nb"]', "1:4", /written as \\n/],
    ['"abc', "1:1", /double quote is missing/],
    ["[01]", "1:2", /valid JSON number/],
    ["[1] x", "1:5", /nothing after/],
    ['["\\x"]', "1:3", /valid JSON escape/],
    ["", "1:1", /JSON is empty/],
  ];
  for (const [json, place, message] of faults) {
    const fault = findJsonFault(json);
    expect([json, `${fault?.line}:${fault?.column}`, fault?.message]).toEqual([
      json,
      place,
      expect.stringMatching(message),
    ]);
  }
});

test("values are reported with their paths and positions", () => {
  const seen: [string, number][] = [];
  findJsonFault(
    '{"a": [1, {"x y": "z"}], "b": {}}',
    (path, index) => seen.push([path, index]),
    "body",
  );
  expect(seen).toEqual([
    ["body", 0],
    ["body.a", 6],
    ["body.a[0]", 7],
    ["body.a[1]", 10],
    ['body.a[1]["x y"]', 18],
    ["body.b", 30],
  ]);
});

test("depth and length cost neither stack nor much time", () => {
  const deep = "[".repeat(1_000_000);
  expect(findJsonFault(deep)?.index).toBe(1_000_000);
  expect(findJsonFault(`{"a": "${"<".repeat(9_000_000)}"`)?.message).toMatch(
    /} of this object is missing/,
  );
  expect(placeOf("a\nb\n", 4)).toEqual({ line: 3, column: 1 });
});
