import { cruise, type ICruiseResult } from "dependency-cruiser";
import extractDepcruiseOptions from "dependency-cruiser/config-utl/extract-depcruise-options";
import { findCycles } from "./find-cycles.ts";

/**
 * Checks the directions of .dependency-cruiser.mjs, and that no two folders import each other.
 * Tests don't count for folders: a test may use what is above it.
 */
const folders = ["app", "cli", "clients", "components", "lib", "server", "e2e", "bench", "scripts"];
const options = await extractDepcruiseOptions("./.dependency-cruiser.mjs");
const { output } = await cruise(folders, options);
if (typeof output === "string") throw new Error(output);

const problems = [...listViolations(output), ...listFolderCycles(output)];
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

function listViolations({ summary }: ICruiseResult): string[] {
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
}

function listFolderCycles({ modules }: ICruiseResult): string[] {
  const graph = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules.filter(({ source }) => isOurs(source))) {
    const targets = graph.get(folderOf(source)) ?? new Set();
    for (const { resolved } of dependencies) if (isOurs(resolved)) targets.add(folderOf(resolved));
    graph.set(folderOf(source), targets);
  }
  return findCycles(graph).map((cycle) => `folders import each other: ${cycle.join(" → ")}`);
}

/** Folders of `app` are routes, so they may import each other. */
function isOurs(path: string): boolean {
  const isTest = /\.test\.tsx?$|\/testing\//.test(path);
  return (
    !isTest && !path.startsWith("app/") && folders.some((folder) => path.startsWith(`${folder}/`))
  );
}

/** A noun of services or web is a file until it needs a folder, so a file among them counts as a folder. */
function folderOf(path: string): string {
  if (/^lib\/(services|web)\/[^/]+$/.test(path)) return path;
  return path.slice(0, path.lastIndexOf("/"));
}
