import { capitalize } from "#lib/base/capitalize.ts";
import { errorTable } from "#lib/base/errors.ts";
import {
  block,
  printAfter,
  printComment,
  printField,
  printType,
  type Schema,
} from "./print-type.ts";

type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly {
    readonly name?: string;
    readonly required?: boolean;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/**
 * The types and the table of calls of the typed client, `clients/typescript/src/operations.ts`,
 * from the OpenAPI document.
 */
export function printClient(document: Document): string {
  const calls = Object.entries(document.paths).flatMap(([path, at]) =>
    Object.entries(at)
      .filter(([, operation]) => !isEventStream(operation))
      .map(([method, operation]) => toCall(method.toUpperCase(), path, operation)),
  );
  const given = listGiven(document);
  const codes = printAfter("=", printType({ enum: Object.keys(errorTable) }, "output"));
  return [
    "/* Written by `npm run generate` from the table of calls. Change that, and not this file. */",
    'import type { PagePromise } from "./pages.ts";',
    'import type { CallOptions } from "./options.ts";',
    `${printComment("The codes of problem documents, as in docs/errors.md")}\nexport type ErrorCode ${codes};`,
    ...Object.entries(document.components.schemas)
      .filter(([name]) => name !== "Error")
      .map(
        ([name, schema]) =>
          `export type ${name} ${printAfter("=", printType(schema, given.has(name) ? "input" : "output"))};`,
      ),
    ...calls.flatMap(({ input }) => input?.declaration ?? []),
    `export interface Client ${block(calls.map(({ method }) => method))}`,
    `export const operations = ${block(calls.map(({ row }) => row))} as const;`,
    "",
  ].join("\n\n");
}

/** The shapes that callers give, by name. Some of them are also in responses. */
function listGiven({ paths, components }: Document): ReadonlySet<string> {
  const given = new Set<string>();
  const add = (value: unknown) => {
    for (const [, name = ""] of JSON.stringify(value).matchAll(
      /"#\/components\/schemas\/(\w+)"/g,
    )) {
      if (given.has(name)) continue;
      given.add(name);
      add(components.schemas[name]);
    }
  };
  for (const { parameters, requestBody = {} } of Object.values(paths).flatMap(Object.values))
    add({ parameters, requestBody });
  return given;
}

/** It is read with an `EventSource`, and never ends. */
function isEventStream({ responses }: Operation): boolean {
  return responses[200]?.content?.["text/event-stream"] !== undefined;
}

function toCall(method: string, path: string, operation: Operation) {
  const { operationId, summary, description } = operation;
  const input = toInput(operation);
  const { kind, type } = toResult(operation);
  const given =
    input === null
      ? "input?: Record<string, never>"
      : `input${input.isRequired ? "" : "?"}: ${input.name}`;
  const row = [method, path, ...(kind === null ? [] : [kind])].map((text) => JSON.stringify(text));
  return {
    input,
    row: `${operationId}: [${row.join(", ")}],`,
    method: [
      printComment(`${summary}. ${description}`),
      `${operationId}(${given}, options?: CallOptions): ${type};`,
    ].join("\n"),
  };
}

/** Path, query, and body together: no call has a name twice. */
function toInput({ operationId, parameters, requestBody }: Operation) {
  const named = parameters.flatMap(({ name, required = false, schema = {} }) =>
    name === undefined ? [] : [printField(name, schema, { isRequired: required, as: "input" })],
  );
  const body = requestBody?.content["application/json"]?.schema;
  const needsNamed = parameters.some(({ required }) => required === true);
  if (body === undefined && named.length === 0) return null;
  const name = `${capitalize(operationId)}Input`;
  const parts = [
    ...(named.length === 0 ? [] : [block(named)]),
    ...(body === undefined ? [] : [printType(body, "input")]),
  ];
  return {
    name,
    isRequired:
      needsNamed ||
      (body?.required?.length ?? 0) > 0 ||
      body?.anyOf !== undefined ||
      body?.oneOf !== undefined,
    declaration: `export type ${name} ${printAfter("=", intersect(parts))};`,
  };
}

function intersect(types: readonly string[]): string {
  return types.length === 1 ? types.join() : types.map((type) => `(${type})`).join(" & ");
}

function toResult({ responses }: Operation) {
  const [success] = Object.entries(responses).flatMap(([status, response]) =>
    status.startsWith("2") ? [response] : [],
  );
  const row = success?.content?.["application/x-ndjson"]?.schema;
  if (row !== undefined)
    return { kind: "rows", type: `AsyncIterable<${printType(row, "output")}>` };
  const schema = success?.content?.["application/json"]?.schema;
  if (schema === undefined) return { kind: null, type: "Promise<void>" };
  const item = schema.properties?.data?.items;
  if (item !== undefined && schema.properties?.nextCursor !== undefined)
    return { kind: "page", type: `PagePromise<${printType(item, "output")}>` };
  return { kind: null, type: `Promise<${printType(schema, "output")}>` };
}
