import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * `npm run audit`: asks npm's registry for advisories of severity high or critical about the packages that
 * Catchment runs with. Ends with 1 if there are any, and with 2 if the registry can't say, as some mirrors can't.
 */
type Audit =
  | { readonly kind: "none" }
  | { readonly kind: "found"; readonly report: string }
  | { readonly kind: "unknown"; readonly why: string };

/** A package with a critical advisory since 2020 (GHSA-xvch-5gv4-984h). */
const known = { name: "minimist", version: "0.0.8" };

/** @param folder with package.json and package-lock.json */
export async function audit(folder: string): Promise<Audit> {
  const found = await ask(folder);
  if (found.kind !== "none") return found;
  // Some mirrors answer everything with an empty list.
  const control = mkdtempSync(join(tmpdir(), "audit-"));
  try {
    writeProject(control, known);
    const { kind } = await ask(control);
    const why = `It has no advisory even for ${known.name} ${known.version}, which has one.`;
    return kind === "none" ? { kind: "unknown", why } : found;
  } finally {
    rmSync(control, { recursive: true, force: true });
  }
}

/** A project with one package, of which only the lock file is there. */
export function writeProject(folder: string, { name, version }: typeof known): void {
  const root = { name: "audited", version: "1.0.0", dependencies: { [name]: version } };
  const packages = { "": root, [`node_modules/${name}`]: { version } };
  const lock = { name: root.name, version: root.version, lockfileVersion: 3, packages };
  writeFileSync(join(folder, "package.json"), JSON.stringify(root));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
}

async function ask(folder: string): Promise<Audit> {
  // Offline, npm would report that there are none.
  const args = [
    "audit",
    "--omit=dev",
    "--audit-level=high",
    "--package-lock-only",
    "--offline=false",
  ];
  const { status, stdout } = await run(folder, [...args, "--json"]);
  const report = readReport(stdout);
  if (report?.auditReportVersion === undefined)
    return { kind: "unknown", why: report?.message ?? "npm has no report." };
  if (status === 0) return { kind: "none" };
  return { kind: "found", report: (await run(folder, args)).stdout };
}

function run(cwd: string, args: readonly string[]): Promise<{ status: number; stdout: string }> {
  const { promise, resolve } = Promise.withResolvers<{ status: number; stdout: string }>();
  execFile("npm", args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout) =>
    resolve({ status: error === null ? 0 : 1, stdout }),
  );
  return promise;
}

type Report = { readonly auditReportVersion?: number; readonly message?: string };

function readReport(text: string): Report | null {
  try {
    return JSON.parse(text) as Report;
  } catch {
    return null;
  }
}

if (import.meta.main) {
  const result = await audit(fileURLToPath(new URL("..", import.meta.url)));
  if (result.kind === "none") process.stdout.write("No advisories of severity high or critical.\n");
  if (result.kind === "found") process.stdout.write(result.report);
  if (result.kind === "unknown")
    process.stderr.write(`Nothing was audited: the registry can't say. ${result.why}\n`);
  process.exitCode = { none: 0, found: 1, unknown: 2 }[result.kind];
}
