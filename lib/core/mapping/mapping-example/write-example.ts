import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import { isJsonObject, type JsonValue } from "#lib/schema/field/json-value.ts";
import { childPath, type ExampleRequest, formPath, queryPath } from "./example-request.ts";
import type { FieldProposal } from "./proposal.ts";
import { isScalar } from "./scalar.ts";

/** The mapped parts of a request, in the fields of an action. */
export type MappedRequest = {
  readonly url: string | null;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body:
    | { readonly kind: "json"; readonly value: JsonValue }
    /** JSON with a loop, which only text can express. */
    | { readonly kind: "text"; readonly text: string }
    | {
        readonly kind: "form";
        readonly fields: readonly (readonly [name: string, value: string])[];
      }
    | { readonly kind: "none" };
};

/** The example with the accepted proposals. All other values stay unchanged. */
export function writeExample(
  { url, query, body }: ExampleRequest,
  taken: readonly FieldProposal[],
): MappedRequest {
  const byPath = new Map(taken.map((proposal) => [proposal.path, proposal]));
  const write = (path: string, literal: string) => byPath.get(path)?.template ?? literal;
  return {
    url: url === null ? null : write("url", url),
    query: query.map(([name, value]) => [name, write(queryPath(name), value)] as const),
    body:
      body.kind === "form"
        ? {
            kind: "form",
            fields: body.fields.map(
              ([name, value]) => [name, write(formPath(name), value)] as const,
            ),
          }
        : body.kind === "json"
          ? writeJson(body.value, byPath)
          : body,
  };
}

type Taken = ReadonlyMap<string, FieldProposal>;

function writeJson(value: JsonValue, taken: Taken): MappedRequest["body"] {
  const hasLoop = [...taken.values()].some(({ each }) => each !== undefined);
  return hasLoop
    ? { kind: "text", text: writeText(value, "body", taken, "") }
    : { kind: "json", value: fillIn(value, "body", taken) };
}

function fillIn(value: JsonValue, path: string, taken: Taken): JsonValue {
  const template = taken.get(path)?.template;
  if (template !== undefined && template !== null) return template;
  if (isScalar(value)) return value;
  if (Array.isArray(value))
    return value.map((item: JsonValue, index) => fillIn(item, childPath(path, index), taken));
  return Object.fromEntries(
    Object.entries(value as Record<string, JsonValue>).map(([name, item]) => [
      name,
      fillIn(item, childPath(path, name), taken),
    ]),
  );
}

/** JSON text that a person can edit further. Values are encoded when it is rendered. */
function writeText(value: JsonValue, path: string, taken: Taken, indent: string): string {
  const proposal = taken.get(path);
  if (proposal?.each !== undefined && Array.isArray(value))
    return writeLoop(value, path, taken, { each: proposal.each, indent });
  if (proposal?.template) {
    const isBare = typeof value !== "string" && isSingle(proposal.template);
    return isBare ? proposal.template : `"${proposal.template}"`;
  }
  if (isScalar(value)) return toJson(value);
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item: JsonValue, index) => writeText(item, childPath(path, index), taken, inner))
    : Object.entries(value as Record<string, JsonValue>).map(
        ([name, item]) =>
          `${toJson(name)}: ${writeText(item, childPath(path, name), taken, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return lines.length === 0
    ? open + close
    : `${open}\n${lines.map((line) => inner + line).join(",\n")}\n${indent}${close}`;
}

function writeLoop(
  [example]: readonly JsonValue[],
  path: string,
  taken: Taken,
  { each, indent }: { readonly each: string; readonly indent: string },
): string {
  const inner = `${indent}  `;
  const item =
    example === undefined || !isJsonObject(example)
      ? "null"
      : writeText(example, `${path}[]`, taken, inner);
  const comma = "{% unless forloop.last %},{% endunless %}";
  return `[\n${inner}{% for item in ${each} %}${item}${comma}{% endfor %}\n${indent}]`;
}

/** True for a template that produces the value itself, with its type. */
function isSingle(template: string): boolean {
  return /^\{\{(?:(?!\}\}).)*\}\}$/s.test(template);
}

function toJson(value: JsonValue): string {
  const written = stringifyExactJson(value);
  return written.ok ? written.text : "null";
}
