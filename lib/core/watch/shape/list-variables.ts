import { analyzeSync, type Variable } from "liquidjs";
import { compileTemplate } from "#lib/core/mapping/template/compile-template.ts";
import { type PathStep, readSteps } from "#lib/schema/field/value-path.ts";

/**
 * The names that a template reads, as paths: `["data", "items", 0, "id"]`. A variable of a loop or an
 * assignment is followed to what it stands for. Empty if the template is invalid.
 */
export function listVariables(source: string): readonly (readonly PathStep[])[] {
  const compiled = compileTemplate(source);
  if (!compiled.ok) return [];
  const { variables } = analyzeSync(compiled.nodes, { partials: false });
  const aliases = findAliases(source);
  return Object.values(variables)
    .flat()
    .map((variable) => resolve(readSegments(variable), aliases));
}

/** Up to the first key that is computed. */
function readSegments({ segments }: Variable): PathStep[] {
  const computed = segments.findIndex((segment) => Array.isArray(segment));
  const fixed = computed === -1 ? segments : segments.slice(0, computed);
  return fixed.map((segment) => (typeof segment === "number" ? segment : String(segment)));
}

type Aliases = ReadonlyMap<string, readonly PathStep[]>;

function findAliases(source: string): Aliases {
  const found = source.matchAll(
    /\b(?:for\s+([\w-]+)\s+in|assign\s+([\w-]+)\s*=)\s+([^\s|%}'"]+(?:\["[^"]+"\][^\s|%}]*)?)/g,
  );
  return new Map(
    [...found].map(([, item, name, path = ""]) =>
      item === undefined ? [name ?? "", readSteps(path)] : [item, [...readSteps(path), 0]],
    ),
  );
}

/** Aliases of aliases are followed a few times, since they may go in circles. */
function resolve(keys: readonly PathStep[], aliases: Aliases, left = 5): readonly PathStep[] {
  const alias = aliases.get(String(keys[0]));
  if (alias === undefined || left === 0) return keys;
  return resolve([...alias, ...keys.slice(1)], aliases, left - 1);
}
