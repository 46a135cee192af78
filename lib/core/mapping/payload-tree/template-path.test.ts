import fc from "fast-check";
import { expect, test } from "vitest";
import { buildMappingContext } from "#lib/core/mapping/template/mapping-context.ts";
import { renderString } from "#lib/core/mapping/template/render-template.ts";
import { toTemplatePath } from "./payload-tree.ts";

test("names are in plain notation", () => {
  expect(toTemplatePath(["data", "object", "email"])).toBe("data.object.email");
  expect(toTemplatePath(["items", 0, "id"])).toBe("payload.items[0].id");
  expect(toTemplatePath(["x y"])).toBe('payload["x y"]');
  expect(toTemplatePath(["data", 'say "hi"'])).toBe(`data['say "hi"']`);
  expect(toTemplatePath([])).toBe("payload");
  expect(toTemplatePath([`"'`])).toBe(`payload["\\"'"]`);
  expect(toTemplatePath(["data[email]", "a\\b", "{{x}}%"])).toBe(
    `payload["data[email]"]["a\\\\b"]["\\u007b\\u007bx\\u007d\\u007d\\u0025"]`,
  );
});

test("a suggested path leads to exactly that value", () => {
  const key = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.string({ unit: "binary", maxLength: 6 }),
    fc.constantFrom(
      "id",
      "data",
      "size",
      "first",
      "last",
      "0",
      "-",
      "true",
      "nil",
      "empty",
      "a-b",
      "constructor",
    ),
    fc.nat(3),
  );
  fc.assert(
    fc.property(fc.array(key, { minLength: 1, maxLength: 4 }), (keys) => {
      const path = toTemplatePath(keys);
      if (typeof keys[0] === "number") return;
      const rendered = renderString(`{{ ${path} }}`, { context: contextOf(nest(keys)), nowMs: 0 });
      expect(rendered).toEqual({ ok: true, value: "found" });
    }),
    { numRuns: 1_000 },
  );
});

function nest(keys: readonly (string | number)[]): unknown {
  return keys.reduceRight<unknown>(
    (inner, key) =>
      typeof key === "number"
        ? Array.from({ length: key + 1 }, () => inner)
        : Object.fromEntries([[key, inner]]),
    "found",
  );
}

function contextOf(payload: unknown) {
  return buildMappingContext({
    payloadText: JSON.stringify(payload),
    readHeaders: () => ({}),
    hops: 1,
    raw: { method: "POST", query: "", headers: [], body: Buffer.from("") },
    readRawBody: () => "",
    path: "",
    readDelivery: () => ({
      id: "",
      receivedAt: "",
      eventId: null,
      eventType: null,
      isSample: false,
    }),
    hook: { id: "", name: "" },
  });
}
