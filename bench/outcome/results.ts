import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { arch, cpus, platform, totalmem } from "node:os";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { medianOf } from "./medians.ts";
import { formatTable } from "./table.ts";

/** The figures of a run by name. Names contain their unit. */
export type Figures = Readonly<Record<string, number>>;

/** A run as it is saved. Two of them can be compared row by row. */
type Results = {
  readonly machine: Machine;
  readonly commit: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Medians of the rounds. */
  readonly figures: Figures;
  readonly details: unknown;
};

export type Machine = {
  readonly at: string;
  readonly node: string;
  readonly system: string;
  readonly cpus: number;
  readonly cpu: string;
  readonly memoryGb: number;
};

export function describeMachine(): Machine {
  return {
    at: new Date().toISOString(),
    node: process.version,
    system: `${platform()} ${arch()}`,
    cpus: cpus().length,
    cpu: cpus()[0]?.model ?? "",
    memoryGb: Math.round(totalmem() / 2 ** 30),
  };
}

/** The commit of this checkout, with a plus sign if files have changed since. */
export function readCommit(): string {
  const cwd = dirname(fileURLToPath(import.meta.url));
  const git = (...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" }).trim();
  try {
    const isChanged = git("status", "--porcelain", "--untracked-files=no") !== "";
    return `${git("rev-parse", "--short", "HEAD")}${isChanged ? "+" : ""}`;
  } catch {
    return "unknown";
  }
}

/** @param file undefined: one in `bench/results` named after the time */
export function saveResults(results: Results, file: string | undefined): string {
  const name = `${results.machine.at.replaceAll(":", "-")}.json`;
  const folder = fileURLToPath(new URL("../results/", import.meta.url));
  const path = file === undefined ? `${folder}${name}` : resolve(file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(results, null, 2)}\n`);
  return path;
}

export function readResults(file: string): Results {
  const results = JSON.parse(readFileSync(resolve(file), "utf8")) as Partial<Results>;
  if (typeof results.figures !== "object")
    throw new Error(`${file} has no figures: save one with npm run bench -- --save <file>`);
  return results as Results;
}

export type Column = { readonly name: string; readonly figures: Figures };

/** One row a figure. The last column is in relation to the first. */
export function describeComparison(columns: readonly Column[]): string {
  const [first, last] = [columns[0]?.figures ?? {}, columns.at(-1)?.figures ?? {}];
  const names = new Set(columns.flatMap(({ figures }) => Object.keys(figures)));
  const rows = [...names].map((name) => [
    name,
    ...columns.map(({ figures }) => showNumber(figures[name])),
    columns.length > 1 ? showRatio(last[name], first[name]) : "",
  ]);
  return formatTable(["", ...columns.map(({ name }) => name), ""], rows);
}

export function mediansOf(rounds: readonly Figures[]): Figures {
  return rounds.length === 0 ? {} : medianOf(rounds);
}

function showRatio(value: number | undefined, base: number | undefined): string {
  const ratio = (value ?? Number.NaN) / (base ?? Number.NaN);
  return Number.isFinite(ratio) ? `×${ratio.toFixed(2)}` : "";
}

function showNumber(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "–";
  return value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) < 1_000 ? 1 : 0 });
}
