import type { z } from "zod";
import { AppError } from "#lib/errors.ts";
import type { FieldError } from "#lib/schema/command-result.ts";

/** Throws `invalid_request` with the path of every error. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidInput(listFieldErrors(parsed.error));
}

/** What doesn't match the schema, by field. */
export function listFieldErrors({ issues }: z.core.$ZodError): readonly FieldError[] {
  return issues.flatMap((issue) => toFieldErrors(issue, []));
}

export function invalidInput(errors: readonly FieldError[]): AppError {
  const [first] = errors;
  const at = first === undefined || first.path === "" ? "" : `${first.path}: `;
  const message = first?.message ?? "The request is not valid";
  const more = errors.length > 1 ? ` And ${errors.length - 1} more.` : "";
  return new AppError("invalid_request", `${at}${message.replace(/\.$/, "")}.${more}`, { errors });
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

function toFieldErrors(issue: Issue, outer: Path): FieldError[] {
  const path = [...outer, ...issue.path];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => ({ path: toText([...path, key]), message: "Unknown field" }));
    case "invalid_key":
      return issue.issues.flatMap((inner) => toFieldErrors(inner, path));
    case "invalid_union":
      return describeUnion(issue, path);
    default:
      return [{ path: toText(path), message: explainIssue(issue) }];
  }
}

/**
 * The errors of the union member that the value comes closest to; if there is no closest one, the
 * union's own message.
 */
function describeUnion(issue: Extract<Issue, { code: "invalid_union" }>, path: Path): FieldError[] {
  const isOwnMessage = issue.message !== "Invalid input";
  const [nearest] = issue.errors
    .filter((issues) => !issues.some(isOfWrongKind))
    .sort((a, b) => a.length - b.length);
  if (nearest !== undefined) return nearest.flatMap((inner) => toFieldErrors(inner, path));
  return [
    {
      path: toText(path),
      message: isOwnMessage ? issue.message : "has none of the forms that are allowed here",
    },
  ];
}

function isOfWrongKind(issue: Issue): boolean {
  return issue.code === "invalid_type" && issue.path.length === 0;
}

function explainIssue(issue: Issue): string {
  if (issue.code === "invalid_type" && issue.message.startsWith("Invalid input")) {
    const isMissing = issue.message.endsWith("received undefined");
    return isMissing ? "must be there" : `must be ${article(issue.expected)}`;
  }
  return issue.message;
}

function article(kind: string): string {
  if (kind === "int") return "a whole number";
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}

function toText(path: Path): string {
  return path.map(String).join(".");
}
