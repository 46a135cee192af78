import { execFileSync } from "node:child_process";
import { dirname } from "node:path";

/** The folder limits of CONTRIBUTING.md, over files that git tracks or would track. */
const maxFilesPerFolder = 30;
const vagueFolders = new Set(["utils", "util", "helpers", "common", "misc", "shared"]);
/** One file per provider and per decision. */
const mayGrow = ["lib/core/providers", "docs/images"];

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => path !== "");

const problems = [...findFullFolders(), ...findVagueFolders()];
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

function findFullFolders(): string[] {
  return [...Map.groupBy(files, dirname)]
    .filter(([folder, inside]) => inside.length > maxFilesPerFolder && !mayGrow.includes(folder))
    .map(
      ([folder, { length }]) =>
        `${folder}: ${length} files, at most ${maxFilesPerFolder}. Split it by subject.`,
    );
}

function findVagueFolders(): string[] {
  const folders = new Set(files.flatMap((path) => dirname(path).split("/")));
  return [...folders]
    .filter((name) => vagueFolders.has(name))
    .map((name) => `A folder is called ${name}. Name it after its contents.`);
}
