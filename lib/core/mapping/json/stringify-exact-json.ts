import { ExactNumber } from "#lib/schema/field/json-value.ts";

type JsonText =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly code: "too_deep" | "too_large" | "not_json";
      readonly message: string;
    };

/** The deepest allowed payload still fits deep inside a body. */
const maxDepth = 256;

/**
 * Serializes JSON with the original digits of exact numbers. `maxChars` limits the text, because a
 * template may use one large value many times. Never throws or overflows the stack.
 */
export function stringifyExactJson(value: unknown, maxChars: number = 16 * 1024 * 1024): JsonText {
  const writer: Writer = { parts: [], maxChars, left: maxChars };
  const problem = writeValue(writer, value, 1);
  return problem ?? { ok: true, text: writer.parts.join("") };
}

type Writer = { readonly parts: string[]; readonly maxChars: number; left: number };
type Problem = Extract<JsonText, { ok: false }>;

function writeValue(writer: Writer, value: unknown, depth: number): Problem | undefined {
  if (depth > maxDepth)
    return fail("too_deep", `the value is nested deeper than ${maxDepth} levels`);
  if (Array.isArray(value)) return writeArray(writer, value, depth);
  if (value instanceof ExactNumber) return write(writer, value.toString());
  switch (typeof value) {
    case "string":
      // Checked before escaping: one string may be as large as the payload.
      if (value.length > writer.left) return failTooLarge(writer);
      return write(writer, JSON.stringify(value));
    case "number":
      if (!Number.isFinite(value))
        return fail("not_json", `${value} is not a number that JSON can hold`);
      return write(writer, JSON.stringify(value));
    case "boolean":
      return write(writer, String(value));
    case "undefined":
      return write(writer, "null");
    case "object":
      return value === null ? write(writer, "null") : writeObject(writer, value, depth);
    default:
      return fail("not_json", `a ${typeof value} is not a JSON value`);
  }
}

function writeArray(writer: Writer, items: readonly unknown[], depth: number): Problem | undefined {
  let separator = "[";
  for (const item of items) {
    const problem = write(writer, separator) ?? writeValue(writer, item, depth + 1);
    if (problem !== undefined) return problem;
    separator = ",";
  }
  return write(writer, items.length === 0 ? "[]" : "]");
}

function writeObject(writer: Writer, object: object, depth: number): Problem | undefined {
  let separator = "{";
  for (const [key, item] of Object.entries(object)) {
    const problem =
      write(writer, `${separator}${JSON.stringify(key)}:`) ?? writeValue(writer, item, depth + 1);
    if (problem !== undefined) return problem;
    separator = ",";
  }
  return write(writer, separator === "{" ? "{}" : "}");
}

function write(writer: Writer, text: string): Problem | undefined {
  writer.left -= text.length;
  if (writer.left < 0) return failTooLarge(writer);
  writer.parts.push(text);
  return undefined;
}

function failTooLarge({ maxChars }: Writer): Problem {
  return fail("too_large", `the JSON is longer than ${maxChars} characters`);
}

function fail(code: Problem["code"], message: string): Problem {
  return { ok: false, code, message };
}
