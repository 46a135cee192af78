import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { findMissing } from "./complete-lock.ts";

it("npm ci finds every optional package in the lock file (if not, run npm run generate)", () => {
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
  expect(findMissing(lock)).toEqual({});
});

it("every package in the lock file has a checksum (if not, run npm run generate)", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, { integrity?: string }>;
  };
  const without = Object.entries(packages).filter(([, { integrity }]) => integrity === undefined);
  expect(without.map(([path]) => path)).toEqual([""]);
});

it("a package that the registry lacked is added with what its name says", () => {
  const version = "2.0.0";
  const names = [
    "a-linux-x64-musl",
    "a-darwin-arm64",
    "a-wasm32-wasi",
    "a-linux-arm64",
    "a-win32-x64",
  ];
  const packages = {
    "node_modules/a": { optionalDependencies: Object.fromEntries(names.map((n) => [n, version])) },
    "node_modules/a/node_modules/a-linux-arm64": {},
    "node_modules/a-win32-x64": {},
  };
  expect(findMissing({ packages })).toEqual({
    "node_modules/a-linux-x64-musl": {
      version,
      cpu: ["x64"],
      libc: ["musl"],
      optional: true,
      os: ["linux"],
    },
    "node_modules/a-darwin-arm64": { version, cpu: ["arm64"], optional: true, os: ["darwin"] },
    "node_modules/a-wasm32-wasi": { version, cpu: ["wasm32"], optional: true },
  });
});
