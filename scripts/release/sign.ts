import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes SHA256SUMS for the files of the release, and signs it. Returns what it did. */
export function writeChecksums(out: string): string {
  const entries = readdirSync(out, { withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();
  const lines = files.map((file) => {
    const hash = createHash("sha256").update(readFileSync(join(out, file)));
    return `${hash.digest("hex")}  ${file}\n`;
  });
  const sums = join(out, "SHA256SUMS");
  writeFileSync(sums, lines.join(""));
  const signed = sign("sign-blob", "--bundle", `${sums}.sigstore.json`, sums);
  return `✓ checksums of ${files.length} files. ${signed}`;
}

/** Signs what was pushed, by its digest. */
export function signImage(digest: string): string {
  return sign("sign", digest);
}

/** With the key of `COSIGN_PRIVATE_KEY`, or with the identity of the workflow that runs this. */
function sign(command: string, ...args: readonly string[]): string {
  if (spawnSync("cosign", ["version"]).status !== 0) return "Not signed: cosign isn't installed";
  const key =
    process.env.COSIGN_PRIVATE_KEY === undefined ? [] : ["--key", "env://COSIGN_PRIVATE_KEY"];
  execFileSync("cosign", [command, "--yes", ...key, ...args], { stdio: "inherit" });
  return "Signed by cosign";
}
