import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { findStale, providersFolder } from "./generate-catalog.ts";
import { writeNewProvider } from "./new-provider.ts";
import { providersTest } from "./write-computed-files.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

it("the test that writes docs/providers.md is where the script expects it", () => {
  expect(existsSync(join(root, providersTest))).toBe(true);
});

it("the indexes list the files of the folder (if not, run npm run generate)", () => {
  expect(findStale(root)).toEqual([]);
});

it("a new provider is two files, listed in the indexes, and is written once", () => {
  const copy = mkdtempSync(join(tmpdir(), "catchment-providers-"));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  mkdirSync(join(copy, providersFolder), { recursive: true });
  cpSync(join(root, providersFolder, "stripe.ts"), join(copy, providersFolder, "stripe.ts"));
  for (const folder of ["catalog", "samples"]) mkdirSync(join(copy, providersFolder, folder));

  const written = [
    join(providersFolder, "acme-pay.ts"),
    join(providersFolder, "acme-pay.samples.ts"),
  ];
  expect(writeNewProvider(copy, "acme-pay")).toEqual(written);
  expect(findStale(copy)).toEqual([]);
  const index = readFileSync(join(copy, "lib/core/providers/catalog/provider-index.ts"), "utf8");
  expect(index).toContain("[\n  acmePay,\n  stripe,\n]");
  expect(writeNewProvider(copy, "acme-pay")).toMatch(/already exists/);
  expect(writeNewProvider(copy, "../acme")).toMatch(/lower-case/);
});
