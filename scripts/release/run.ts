import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { prepareTools, removeTools } from "../image/tools.ts";
import { makeRelease } from "./make-release.ts";

/** `npm run release`: docs/operations/release.md describes it. */
const { values } = parseArgs({
  options: {
    out: { type: "string", default: "release" },
    push: { type: "boolean", default: false },
    "from-debian": { type: "boolean", default: false },
    "this-processor": { type: "boolean", default: false },
  },
});
const { CATCHMENT_REGISTRY: registry = "" } = process.env;
if (registry === "" && values.push)
  throw new Error("Set CATCHMENT_REGISTRY to the registry to push to, such as ghcr.io/acme.");
const checkout = fileURLToPath(new URL("../..", import.meta.url));
if (values.push) requireCommitted();
const own = process.arch === "arm64" ? "arm64" : "amd64";
// Ctrl+C ends the program that runs, and then this one, which removes what it has made until then.
process.on("SIGINT", () => undefined);
const scratch = mkdtempSync(join(tmpdir(), "catchment-release-"));
try {
  const version = makeRelease({
    checkout,
    out: resolve(values.out),
    tools: prepareTools(scratch),
    scratch,
    registry: registry === "" ? "localhost" : registry.toLowerCase(),
    processors: values["this-processor"] ? [own] : ["amd64", "arm64"],
    fromDebian: values["from-debian"],
    push: values.push,
  });
  process.stdout.write(`Catchment ${version} is in ${values.out}\n`);
} finally {
  removeTools(scratch);
}

function requireCommitted(): void {
  const options = { cwd: checkout, encoding: "utf8" } as const;
  const changed = execFileSync("git", ["status", "--porcelain"], options);
  if (changed !== "") throw new Error(`Commit these files, then push the release:\n${changed}`);
}
