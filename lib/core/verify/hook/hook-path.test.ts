import { expect, test } from "vitest";
import { listProviders } from "#lib/core/providers/catalog/catalog.ts";
import { whyNoPath } from "./hook-path.ts";

test("every provider that proves its sender can have a path, and no other", () => {
  const without = listProviders().filter(({ id }) => whyNoPath(id) !== null);
  // docs/catching.md lists them.
  expect(without.map(({ id }) => id).toSorted()).toEqual([
    "adobe-sign",
    "asana",
    "fireblocks",
    "google-chat",
    "notion",
    "strava",
  ]);
  expect([whyNoPath("generic") === null, whyNoPath("custom")]).toEqual([false, null]);
});
