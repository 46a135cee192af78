import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { providersTest } from "./write-provider-docs.ts";

it("the test that writes docs/providers.md is where the script looks for it", () => {
  expect(existsSync(new URL(`../${providersTest}`, import.meta.url))).toBe(true);
});
