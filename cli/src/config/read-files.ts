import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isMap, isScalar, isSeq, LineCounter, parseDocument, Scalar } from "yaml";
import { envReference, isSecretPlace } from "../../../lib/base/env-references.ts";
import type { Terminal } from "../frame/command.ts";
import { Exit } from "../frame/exit.ts";

type Env = Terminal["env"];
export type ConfigFile = { readonly path: string; readonly text: string };

/** The file that is meant without one. */
const usualFile = "catchment.yaml";

/**
 * The files of a configuration, with secrets from the environment. Of a folder, all YAML and JSON in it. `-` is
 * standard input.
 */
export function readConfigFiles(paths: readonly string[], env: Env): ConfigFile[] {
  const found = (paths.length === 0 ? [usualFile] : paths).flatMap(listFiles);
  const problems: string[] = [];
  const files = found.map((path) => {
    const text = readFile(path);
    return { path, text: fillReferences({ path, text }, env, problems) };
  });
  if (problems.length > 0) throw new Exit("fault", problems.join("\n"));
  return files;
}

function listFiles(path: string): string[] {
  if (path === "-") return [path];
  try {
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path).filter((name) => /\.(?:ya?ml|json)$/.test(name));
    if (names.length > 0) return names.toSorted().map((name) => join(path, name));
  } catch (error) {
    throw unreadable(path, error);
  }
  throw new Exit("fault", `${path} has no file that ends with .yaml, .yml, or .json.`);
}

function readFile(path: string): string {
  try {
    return readFileSync(path === "-" ? 0 : path, "utf8");
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): Exit {
  const why = error instanceof Error ? error.message : String(error);
  return new Exit("fault", `${path === "-" ? "Standard input" : path} can't be read: ${why}.`);
}

type Reference = { readonly range: readonly [number, number]; readonly value: string };

/**
 * Replaces `${env:NAME}` in secrets. The lines stay the same, so that errors of the server name those of the file.
 * Pure: what is wrong is added to the problems.
 */
export function fillReferences({ path, text }: ConfigFile, env: Env, problems: string[]): string {
  if (!text.includes("${env:")) return text;
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: "silent" });
  // The server says what is wrong.
  if (document.errors.length > 0) return text;
  const references: Reference[] = [];
  const walk = (node: unknown, place: string): void => {
    const inner = (name: unknown) => (place === "" ? String(name) : `${place}.${name}`);
    if (isMap(node)) for (const { key, value } of node.items) walk(value, inner(key));
    if (isSeq(node)) for (const [index, item] of node.items.entries()) walk(item, inner(index));
    if (!isScalar(node) || typeof node.value !== "string" || !node.range) return;
    const at = `${path}:${lines.linePos(node.range[0]).line}`;
    const value = fillText(node.value, { at, place, env, problems });
    if (value === node.value) return;
    const isBlock = node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED;
    if (isBlock) problems.push(`${at}: write a value with \${env:…} on one line, in quotes.`);
    references.push({ range: [node.range[0], node.range[1]], value });
  };
  walk(document.contents, "");
  return references
    .toSorted((one, other) => other.range[0] - one.range[0])
    .reduce(
      (filled, { range: [from, to], value }) =>
        filled.slice(0, from) + JSON.stringify(value) + filled.slice(to),
      text,
    );
}

type Place = {
  readonly at: string;
  readonly place: string;
  readonly env: Env;
  readonly problems: string[];
};

function fillText(text: string, { at, place, env, problems }: Place): string {
  if (!isSecretPlace(place)) {
    const [whole] = text.match(envReference) ?? [];
    if (whole === text)
      problems.push(`${at}: ${place} is no secret, and only secrets come from the environment.`);
    return text;
  }
  return text.replace(envReference, (reference, name: string) => {
    const value = env[name];
    if (value) return value;
    problems.push(`${at}: set ${name} in the environment.`);
    return reference;
  });
}
