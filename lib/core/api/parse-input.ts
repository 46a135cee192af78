import type { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import {
  codeOfRule,
  type FieldError,
  type FieldErrorDetails,
} from "#lib/schema/field/command-result.ts";

/** Throws `invalid_request` with the path of every error. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const read = readInput(schema, value);
  if (read.ok) return read.data;
  throw invalidInput(read.errors);
}

type ReadInput<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** The parsed value, or the errors by field. */
export function readInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): ReadInput<z.output<Schema>> {
  const parsed = schema.safeParse(value, { error: explainIssue });
  if (parsed.success) return { ok: true, data: parsed.data };
  return {
    ok: false,
    errors: parsed.error.issues.flatMap((issue) => toFieldErrors(issue, [], value)),
  };
}

/** The error for a name that an object has twice. Taking the first or the last would be a guess. */
export function repeatedName(path: string): FieldError {
  return { path, code: "duplicate", message: "occurs more than once", name: path };
}

/** Input that doesn't match its schema. A form shows the errors beside their fields. */
export class InvalidInput extends AppError {}

export function invalidInput(errors: readonly FieldError[]): InvalidInput {
  const [first] = errors;
  const at = first === undefined || first.path === "" ? "" : `${first.path}: `;
  const message = first?.message ?? "The request is not valid";
  const more = errors.length > 1 ? ` And ${errors.length - 1} more.` : "";
  const detail = `${at}${message.replace(/\.$/, "")}.${more}`;
  return new InvalidInput("invalid_request", detail, { errors });
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

function toFieldErrors(issue: Issue, outer: Path, root: unknown): FieldError[] {
  const path = [...outer, ...issue.path];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((name) => ({
        path: toText([...path, name]),
        code: "unknown_field",
        message: "Unknown field",
        name,
      }));
    case "invalid_key":
      return issue.issues.flatMap((inner) => toFieldErrors(inner, path, root));
    case "invalid_union":
      return describeUnion(issue, path, root);
    default:
      return [
        { path: toText(path), ...classify(issue, readPath(root, path)), message: issue.message },
      ];
  }
}

/**
 * The errors of the union member that the value comes closest to; if there is no closest one, the
 * union's own message.
 */
function describeUnion(
  issue: Extract<Issue, { code: "invalid_union" }>,
  path: Path,
  root: unknown,
): FieldError[] {
  const [nearest] = issue.errors
    .filter((issues) => !issues.some(isOfWrongKind))
    .sort((a, b) => a.length - b.length);
  if (nearest !== undefined) return nearest.flatMap((inner) => toFieldErrors(inner, path, root));
  return [{ path: toText(path), ...classify(issue, readPath(root, path)), message: issue.message }];
}

function isOfWrongKind(issue: Issue): boolean {
  return issue.code === "invalid_type" && issue.path.length === 0;
}

/** The code of an issue, with its limit or name. */
function classify(issue: Issue, value: unknown): FieldErrorDetails & Pick<FieldError, "code"> {
  if (value === undefined && issue.code !== "custom") return { code: "required" };
  switch (issue.code) {
    case "invalid_type":
      return { code: "invalid_type" };
    case "invalid_value":
      return { code: "unknown_value" };
    case "too_small":
      return classifySize(issue.origin, "too_short", Number(issue.minimum));
    case "too_big":
      return classifySize(issue.origin, "too_long", Number(issue.maximum));
    case "custom":
      return codeOfRule(issue.params);
    default:
      return { code: "invalid_value" };
  }
}

function readPath(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path)
    value = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  return value;
}

function classifySize(origin: string, code: "too_short" | "too_long", limit: number) {
  if (!hasLength.has(origin)) return { code: "out_of_range", limit } as const;
  const isEmpty = code === "too_short" && limit === 1 && origin === "string";
  return isEmpty ? ({ code: "required" } as const) : { code, limit };
}

const hasLength: ReadonlySet<string> = new Set(["string", "array", "set", "map", "file"]);

/** The message of an issue whose schema has none of its own. Undefined: the library's. */
function explainIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "invalid_union") return "has none of the forms that are allowed here";
  if (issue.code !== "invalid_type") return undefined;
  return issue.input === undefined ? "must be there" : `must be ${article(issue.expected)}`;
}

function article(kind: string): string {
  if (kind === "int") return "a whole number";
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}

function toText(path: Path): string {
  return path.map(String).join(".");
}
