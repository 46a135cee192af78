import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { listRooms, readRooms } from "./find-rooms.ts";

/** The limits of CONTRIBUTING.md for folders, files, and lines, over files that git tracks or would track. */
const maxFilesPerFolder = 30;
const vagueFolders = new Set(["utils", "util", "helpers", "common", "misc", "shared"]);
/** One file per provider. */
const mayGrow = ["lib/core/providers"];
const maxLines = 300;
/** `npm run generate` writes them. */
const generated = [
  "clients/typescript/src/operations.ts",
  "lib/core/providers/catalog/provider-index.ts",
  "lib/core/providers/samples/sample-index.ts",
];
const maxColumns = 120;
/** SQL keeps its own lines, in `lib/db` and in what fills a database for tests and benchmarks. */
const hasSql = /^(?:lib\/db|server\/database|bench\/seed)\/|\.db\.test\.ts$/;
/** An address or a regular expression that can't be broken. */
const longWord = /\S{100}/;

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => path !== "");

const problems = [
  ...findFullFolders(),
  ...findVagueFolders(),
  ...findLongFiles(),
  ...findLongLines(),
  ...findDecisionNumbers(),
  ...findUnlistedRooms(),
];
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

function findLongFiles(): string[] {
  return files
    .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !generated.includes(path))
    .flatMap((path) => {
      const lines = readFileSync(path, "utf8").trimEnd().split("\n").length;
      return lines > maxLines
        ? [`${path}: ${lines} lines, at most ${maxLines}. Split it by subject.`]
        : [];
    });
}

function findLongLines(): string[] {
  return files
    .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !hasSql.test(path))
    .flatMap((path) =>
      readFileSync(path, "utf8")
        .split("\n")
        .flatMap((line, index) =>
          line.length > maxColumns && !longWord.test(line)
            ? [
                `${path}:${index + 1}: ${line.length} columns, at most ${maxColumns}. Break the line.`,
              ]
            : [],
        ),
    );
}

/** A decision is called by its number, whichever folder it is in. */
function findDecisionNumbers(): string[] {
  const decisions = files.filter((path) => path.startsWith("docs/decisions/"));
  const byNumber = Map.groupBy(decisions, (path) => basename(path).slice(0, 3));
  const shared = [...byNumber]
    .filter(([, paths]) => paths.length > 1)
    .map(([number, paths]) => `${paths.join(", ")}: the number ${number}. Give each its own.`);
  const untitled = decisions
    .filter((path) => !readFileSync(path, "utf8").startsWith(`# ${basename(path).slice(0, 3)}: `))
    .map((path) => `${path}: its title doesn't begin with its number and a colon.`);
  return [...shared, ...untitled];
}

/** The tree of docs/architecture.md and the folders are the same. */
function findUnlistedRooms(): string[] {
  const listed = readRooms(readFileSync("docs/architecture.md", "utf8"));
  const folders = new Set(files.flatMap(foldersOf));
  return [
    ...[...listRooms(files)]
      .filter((room) => !listed.has(room))
      .map((room) => `${room}: docs/architecture.md doesn't list it.`),
    ...[...listed]
      .filter((room) => !folders.has(room))
      .map((room) => `docs/architecture.md lists ${room}, which doesn't exist.`),
  ];
}

function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === "." ? [] : [folder, ...foldersOf(folder)];
}
