import type { z } from "zod";
import { parseExactJson } from "#lib/core/json/parse-exact-json.ts";
import { AppError, type FieldError } from "#lib/errors.ts";

/** The body's bytes. Refused before they are read where their size is announced, and else while they are read. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  const announced = Number(request.headers.get("content-length") ?? "0");
  if (announced > maxBytes) throw tooLarge(maxBytes);
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      throw tooLarge(maxBytes);
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks);
}

/** The body as a value of the schema; an empty one counts as `{}`. Numbers keep their digits where `exactNumbers` asks for it. */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  bytes: Uint8Array,
  options: { readonly contentType: string | null; readonly exactNumbers: boolean },
): z.output<Schema> {
  if (bytes.byteLength === 0) return parseWith(schema, {});
  requireJsonType(options.contentType);
  const parsed = parseExactJson(decodeUtf8(bytes));
  if (!parsed.ok)
    throw new AppError("invalid_json", `The body is not JSON that can be read: ${parsed.message}.`);
  return parseWith(schema, options.exactNumbers ? parsed.value : JSON.parse(decodeUtf8(bytes)));
}

/** The query string as a value of the schema; each name may come once. */
export function parseQuery<Schema extends z.ZodType>(
  schema: Schema,
  params: URLSearchParams,
): z.output<Schema> {
  const names = [...params.keys()];
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw invalid([{ path: repeated, message: "is given more than once" }]);
  return parseWith(schema, Object.fromEntries(params));
}

/** Throws `invalid_request` with the path of everything that is wrong. */
export function parseWith<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues.flatMap((issue) => toFieldErrors(issue, [])));
}

function invalid(errors: readonly FieldError[]): AppError {
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

/** Of the alternatives, the one that the value came closest to; where none fits better than another, the union's own words. */
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

function requireJsonType(contentType: string | null): void {
  const type = (contentType?.split(";", 1)[0] ?? "").trim().toLowerCase();
  if (type === "" || type === "application/json" || /^application\/[a-z0-9.-]+\+json$/.test(type))
    return;
  throw new AppError(
    "unsupported_media_type",
    "Send the body as JSON, with the header Content-Type: application/json.",
  );
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new AppError("invalid_json", "The body is not valid UTF-8, which JSON has to be.");
  }
}

function tooLarge(maxBytes: number): AppError {
  return new AppError(
    "body_too_large",
    `The body of this request may have at most ${maxBytes} bytes.`,
  );
}
