import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { findWords } from "./find-words.ts";

/** Finds words that CONTRIBUTING.md asks not to use, in every text that people read. */
const texts = ["*.ts", "*.tsx", "*.mjs", "*.css", "*.md", "*.prisma", ".env.example"];
/** Migrations never change. The two files of this check contain the words themselves. */
const skipped = [":!prisma/migrations", ":!scripts/find-words.ts", ":!scripts/find-words.test.ts"];

const paths = execFileSync("git", ["ls-files", ...texts, ...skipped], { encoding: "utf8" })
  .split("\n")
  .filter((path) => path !== "");

const problems = paths.flatMap((path) =>
  findWords(path, readFileSync(path, "utf8")).map(
    ({ line, word, instead }) => `${path}:${line}: “${word}”. Write: ${instead}.`,
  ),
);
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
