import { z } from "zod";
import { fieldErrorSchema } from "#lib/web/route/field-error.ts";
import type { Method, Route } from "#lib/web/route/route.ts";
import { listErrors } from "./list-errors.ts";
import { makeResponse, pathExample } from "./make-example.ts";
import { nouns } from "./routes.ts";
import { shareBases } from "./shared-shapes.ts";

/** RFC 9457, as `toProblem` writes it. */
const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string(),
    detail: z.string(),
    errors: z.array(fieldErrorSchema).optional(),
  })
  .meta({ id: "Error" });

type JsonSchema = Record<string, unknown>;
type Components = Record<string, JsonSchema>;

/** The OpenAPI 3.1 document of every call in the table. */
export function buildOpenApi(origin: string) {
  const components: Components = {};
  const paths = toPaths(components);
  const responses = {
    Rejected: toProblemResponse("The request was rejected, and why", components),
    Unavailable: toProblemResponse("The server can't do it right now", components),
  };
  return {
    openapi: "3.1.0",
    info: {
      title: "Catchment",
      version: "1",
      description: "Catches webhooks, acts on them, and sends your own.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: `${origin}/api/v1` }],
    security: [{ token: [] }],
    tags: nouns.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      schemas: shareBases(components),
      parameters: { IdempotencyKey: idempotencyKey },
      responses,
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description:
            "An API token with the call's scope. Tools get one by a code, and programs by a redirect, as " +
            "/.well-known/oauth-authorization-server says",
        },
      },
    },
  };
}

let cached: { readonly origin: string; readonly text: string } | undefined;

/** The document as JSON, built once. */
export function openApiText(origin: string): string {
  if (cached?.origin !== origin) cached = { origin, text: JSON.stringify(buildOpenApi(origin)) };
  return cached.text;
}

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  description: "For 24 hours, the same request with the same key gets the first response again.",
  schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,255}$" },
};

function toProblemResponse(description: string, components: Components) {
  const schema = toJsonSchema(problem, components);
  return { description, content: { "application/problem+json": { schema } } };
}

function toPaths(components: Components) {
  const operations = nouns.flatMap(({ name, routes }) =>
    routes.map((route) => ({
      path: route.path,
      method: route.method.toLowerCase(),
      operation: { tags: [name], ...toOperation(route, components) },
    })),
  );
  const byPath = Object.entries(Object.groupBy(operations, ({ path }) => path));
  return Object.fromEntries(
    byPath.map(([path, at = []]) => [
      path,
      Object.fromEntries(at.map(({ method, operation }) => [method, operation])),
    ]),
  );
}

function toOperation(route: Route, components: Components) {
  const { operationId, summary, description, status, repeatedStatus, response, scope } = route;
  const content = response === null ? {} : { content: toContent(route, response, components) };
  return {
    operationId,
    summary,
    description: [description, `Needs the scope \`${scope}\`.`].join(" ").trim(),
    ...toRequest(route, components),
    "x-errors": listErrors(route),
    responses: {
      [status]: { description: status === 204 ? "Done" : "Success", ...content },
      ...(repeatedStatus === undefined
        ? {}
        : { [repeatedStatus]: { description: "An earlier request has done it", ...content } }),
      "4XX": { $ref: "#/components/responses/Rejected" },
      "5XX": { $ref: "#/components/responses/Unavailable" },
    },
  };
}

/** An export is a stream: each line of its NDJSON is a row. */
function toContent(route: Route, response: z.ZodType, components: Components) {
  const { isStreamed, opens, alsoOpens } = route;
  const schema = toJsonSchema(response, components);
  const shown = { schema, example: makeResponse(schema, components, route) };
  const asText = alsoOpens && {
    [alsoOpens.type]: { schema: { type: "string" }, example: alsoOpens.example },
  };
  if (opens !== undefined) return { [opens]: shown, ...asText };
  if (isStreamed !== true) return { "application/json": shown };
  return { "application/x-ndjson": shown, "text/csv": { schema: { type: "string" } } };
}

/** Fields that the path names are its parameters. The others are the query, or the body. */
function toRequest({ method, path, input, example }: Route, components: Components) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const schema = toJsonSchema(input, components);
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const required = new Set((schema.required ?? []) as string[]);
  const others = Object.keys(properties).filter((name) => !names.includes(name));
  const toParameter = (name: string, place: "path" | "query") => {
    const value = place === "path" ? pathExample(path, name) : example?.[name];
    return {
      name,
      in: place,
      ...(place === "path" && { description: describePathParameter(path, name) }),
      required: place === "path" || required.has(name),
      schema: properties[name] ?? { type: "string" },
      ...(value === undefined ? {} : { example: value }),
    };
  };
  const parameters = [
    ...names.map((name) => toParameter(name, "path")),
    ...(hasBody(method)
      ? [{ $ref: "#/components/parameters/IdempotencyKey" }]
      : others.map((name) => toParameter(name, "query"))),
  ];
  // A union has no fields of its own, and none is named by a path.
  const isUnion = schema.anyOf !== undefined || schema.oneOf !== undefined;
  if (!hasBody(method) || (others.length === 0 && !isUnion)) return { parameters };
  const fields = {
    properties: Object.fromEntries(others.map((name) => [name, properties[name]])),
    required: others.filter((name) => required.has(name)),
  };
  const body = isUnion ? schema : { ...schema, ...fields };
  const content = { schema: body, ...(example === undefined ? {} : { example }) };
  const isRequired = isUnion || fields.required.length > 0;
  const requestBody = { required: isRequired, content: { "application/json": content } };
  return { parameters, requestBody };
}

/** `The id of the hook`, for `/hooks/{id}/pause`. */
function describePathParameter(path: string, name: string): string {
  const segments = path.split("/");
  const before = segments[segments.indexOf(`{${name}}`) - 1] ?? "";
  const noun = before.replaceAll("-", " ").replace(/ies$/, "y").replace(/s$/, "");
  return `The ${name.endsWith("Id") ? "id" : name} of the ${noun}`;
}

function hasBody(method: Method): boolean {
  return method !== "GET";
}

/**
 * The schema as JSON Schema, as callers write it: before defaults and transforms. Named schemas go to
 * the components.
 */
function toJsonSchema(schema: z.ZodType, components: Components): JsonSchema {
  const written = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === "date")
        Object.assign(jsonSchema, { type: "string", format: "date-time" });
    },
  });
  const text = JSON.stringify(written).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $schema: _, $defs = {}, ...own } = JSON.parse(text);
  Object.assign(components, $defs);
  return own;
}
