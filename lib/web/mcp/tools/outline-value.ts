import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { writePath } from "#lib/schema/field/value-path.ts";
import { bytesOf } from "../frame/result.ts";
import { quote } from "../frame/visible-text.ts";

type Path = readonly (string | number)[];

/**
 * The values of a payload by their paths, as templates name them, breadth first. Long lists show their first item,
 * because the others usually look the same.
 *
 * @param maxBytes the size of the lines as JSON
 */
export function outlineValue(
  value: unknown,
  maxBytes: number,
): { readonly lines: readonly string[]; readonly isCut: boolean } {
  const lines: string[] = [];
  let left = maxBytes;
  let isCut = false;
  let level: { readonly path: Path; readonly value: unknown }[] = [{ path: [], value }];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return { lines, isCut: true };
    const next: typeof level = [];
    for (const each of level) {
      const children = listChildren(each.value);
      const line = `${writePath(each.path) || "(payload)"}: ${describeValue(each.value)}`;
      left -= bytesOf(line) + 1;
      if (left < 0) return { lines, isCut: true };
      lines.push(line);
      if (children.length > maxChildren) isCut = true;
      for (const [name, child] of children.slice(0, maxChildren))
        next.push({ path: [...each.path, name], value: child });
    }
    level = next;
  }
  return { lines, isCut };
}

const maxDepth = 12;
const maxChildren = 60;

function listChildren(value: unknown): readonly (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.length === 0 ? [] : [[0, value[0]]];
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return [];
  return Object.entries(value);
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return `list of ${value.length}`;
  if (value instanceof ExactNumber) return value.toString();
  if (typeof value === "string") return quote(value, 60);
  if (typeof value === "object" && value !== null) return `object of ${Object.keys(value).length}`;
  return String(value);
}
