import { expect, it } from "vitest";
import { listChanges, readNumber } from "./use-section.ts";

it("only the fields that differ from the stored ones are sent", () => {
  const stored = { dedupe: { from: "body", path: "id" }, replayProtection: true, publish: null };
  expect(listChanges({ ...stored, dedupe: { from: "body", path: "id" } }, stored)).toEqual({});
  expect(listChanges({ ...stored, dedupe: { from: "body", path: "key" } }, stored)).toEqual({
    dedupe: { from: "body", path: "key" },
  });
  expect(listChanges({ ...stored, dedupe: null }, stored)).toEqual({ dedupe: null });
  // A field that only the new values have, such as a provider's first setting.
  expect(listChanges({ verification: { settings: {} } }, {})).toEqual({
    verification: { settings: {} },
  });
});

it("text that is no whole number is sent as it is, so that the schema rejects it", () => {
  expect(["", " 5 ", "-1", "1.5", "many"].map(readNumber)).toEqual([null, 5, -1, "1.5", "many"]);
});
