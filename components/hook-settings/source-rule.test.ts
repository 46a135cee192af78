import { expect, test } from "vitest";
import { describeRule, type StoredRule, toSourceRule, toStoredRule } from "./source-rule.ts";

const usual: StoredRule = [
  { from: "header", name: "x-id" },
  { from: "body", path: "data.id" },
];

test.each<[string, StoredRule]>([
  ["one field of the body", { from: "body", path: "id" }],
  ["a header", { from: "header", name: "x-id" }],
  ["a query parameter", { from: "query", name: "event" }],
  ["a segment of the path", { from: "path", segment: 2 }],
  ["the id of an event", { from: "event" }],
  ["the whole request", { from: "request", withinSeconds: 60 }],
  [
    "all places together",
    {
      from: "all",
      of: [
        { from: "query", name: "q" },
        { from: "path", segment: 1 },
        { from: "event" },
        { from: "body", path: "event" },
        { from: "request" },
      ],
    },
  ],
  ["the content", { from: "content" }],
  ["the content without some fields", { from: "content", except: ["retries", "meta.try"] }],
  [
    "a header and the content without some fields",
    {
      from: "all",
      of: [
        { from: "header", name: "x" },
        { from: "content", except: ["retries", "meta.try"] },
      ],
    },
  ],
  ["several, of which the first counts", [{ from: "header", name: "x" }, { from: "content" }]],
  [
    "several together, for a while",
    {
      from: "all",
      of: [{ from: "body", path: "id" }, { from: "header", name: "x-n" }, { from: "content" }],
      withinSeconds: 60,
    },
  ],
  ["none", null],
  ["what is usual for the provider", usual],
])("%s goes through the form unchanged", (_, stored) => {
  expect(toStoredRule(toSourceRule(stored, usual), usual)).toEqual(stored);
});

test("a rule equal to the provider's default follows it", () => {
  expect(toSourceRule(structuredClone(usual), usual).mode).toBe("default");
  expect(toSourceRule(null, null).mode).toBe("default");
  expect(toSourceRule(null, usual).mode).toBe("none");
});

test("a rule is described in words", () => {
  expect(describeRule(usual)).toBe("the header x-id, else the body's field data.id");
  expect(describeRule({ from: "content" })).toBe("a hash of the whole body");
  expect(describeRule({ from: "content", except: ["a", "b"] })).toBe(
    "a hash of the body without a and b",
  );
  expect(describeRule(null)).toBe("nothing");
  const parts = [{ from: "body", path: "id" } as const, { from: "header", name: "x-n" } as const];
  expect(
    describeRule([
      { from: "all", of: parts },
      { from: "content", withinSeconds: 86_400 },
    ]),
  ).toBe("the body's field id and the header x-n, else a hash of the whole body, within 24 hours");
});
