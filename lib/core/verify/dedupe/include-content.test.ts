import { expect, test } from "vitest";
import { unsignedDedupe } from "#lib/core/providers/shapes/unknown-identity.ts";
import type { IdentitySource } from "./identify-event.ts";
import { includeContent } from "./include-content.ts";

const id: IdentitySource = { from: "body", path: "id" };
const header: IdentitySource = { from: "header", name: "x-id" };
const content = { from: "content" } as const;
const request = { from: "request" } as const;
const fields = ["a", "b", "c", "d", "e"].map((path) => ({ from: "body", path }) as const);

test.each<[string, IdentitySource | readonly IdentitySource[], readonly IdentitySource[]]>([
  ["a field", id, [{ from: "all", of: [id, request] }]],
  [
    "a field for a while",
    { ...id, withinSeconds: 60 },
    [{ from: "all", of: [id, request], withinSeconds: 60 }],
  ],
  [
    "a header, else the content",
    [header, content],
    [{ from: "all", of: [header, request] }, content],
  ],
  ["two fields", { from: "all", of: [id, header] }, [{ from: "all", of: [id, header, request] }]],
  ["as many fields as there may be", { from: "all", of: fields }, [request]],
  [
    "the default",
    unsignedDedupe,
    [{ from: "all", of: [{ from: "event" }, request] }, ...unsignedDedupe.slice(1)],
  ],
])("%s counts together with the content", (_rule, rule, expected) => {
  expect(includeContent(rule, request)).toEqual(expected);
  expect(includeContent(expected, request)).toBeNull();
});

test("a rule that compares nothing stays", () => expect(includeContent(null, content)).toBeNull());
