import { expect, it } from "vitest";
import { listChanges } from "./use-section.ts";

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
