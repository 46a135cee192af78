import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chooseNpmCache } from "./npm-cache.mjs";

test("npm's cache stays where it is writable, and is next to the packages for a user without a home folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "catchment-cache-"));
  writeFileSync(join(folder, "file"), "");
  const choose = (cache: string) =>
    chooseNpmCache("/srv", { ...process.env, npm_config_cache: cache });
  expect(choose(join(folder, "home", ".npm"))).toEqual({});
  expect(choose(join(folder, "file", ".npm"))).toEqual({
    npm_config_cache: "/srv/node_modules/.cache/npm",
  });
  rmSync(folder, { recursive: true });
});
