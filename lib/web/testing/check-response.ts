import { Ajv2020 } from "ajv/dist/2020.js";
import type { ErrorCode } from "#lib/base/errors.ts";
import { listErrors } from "#lib/web/api/list-errors.ts";
import { buildOpenApi } from "#lib/web/api/openapi.ts";
import { routes } from "#lib/web/api/routes.ts";
import { wholeShape } from "#lib/web/api/shared-shapes.ts";
import { findPath } from "#lib/web/route/find-route.ts";

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
const document = buildOpenApi("https://hooks.example.test");
ajv.addSchema(closed(flat({ $id: "document", ...document })));

type Response = { readonly status: number; readonly body: unknown; readonly text?: string };

/** Throws if a response isn't what the OpenAPI document says, or has more fields. */
export function checkResponse(
  method: string,
  path: string,
  { status, body, text = "" }: Response,
): void {
  const route = findPath(routes, path)?.routes.find((each) => each.method === method);
  if (route === undefined) return;
  const call = `${method} ${route.path}`;
  const content = ["paths", route.path, method.toLowerCase(), "responses", `${status}`, "content"];
  if (status >= 400) {
    checkValue(call, ["components", "schemas", "Error"], body);
    const { code } = body as { readonly code: ErrorCode };
    if (!listErrors(route).includes(code)) throw new Error(`${call} doesn't document ${code}`);
  } else if (status !== route.status)
    throw new Error(`${call} returned ${status}, not ${route.status}`);
  else if (route.isStreamed === true)
    for (const line of readLines(text))
      checkValue(call, [...content, "application/x-ndjson", "schema"], line);
  else if (route.response !== null && !(route.alsoOpens !== undefined && body === null))
    checkValue(call, [...content, "application/json", "schema"], body);
}

/** The rows of an NDJSON. Those of CSV have another test. */
function readLines(text: string): readonly unknown[] {
  if (!text.startsWith("{")) return [];
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function checkValue(call: string, steps: readonly string[], value: unknown): void {
  const pointer = steps.map(toPointer).join("/");
  const validate = ajv.getSchema(`document#/${pointer}`);
  if (validate === undefined) throw new Error(`The document has no schema at ${pointer}`);
  if (validate(value)) return;
  const errors = ajv.errorsText(validate.errors, { dataVar: "response" });
  throw new Error(`${call} isn't as documented: ${errors}`);
}

function toPointer(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}

/** Objects without further fields, though the document lets newer versions add some. */
function closed<Value>(document: Value): Value {
  return JSON.parse(JSON.stringify(document), (_name, value: unknown) => {
    const isOpen = isObject(value) && isObject(value.properties) && value.type === "object";
    return isOpen ? { additionalProperties: false, ...value } : value;
  });
}

/** Shapes with all fields of those that they extend, which would refuse the others once closed. */
function flat<Value>(value: Value): Value {
  const { schemas } = document.components;
  return JSON.parse(JSON.stringify(value), (_name, part: unknown) =>
    isObject(part) && Array.isArray(part.allOf) ? wholeShape(part, schemas) : part,
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
