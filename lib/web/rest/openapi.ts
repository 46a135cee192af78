import { z } from "zod";
import { fieldErrorCodes } from "#lib/schema/field/command-result.ts";
import type { Method, Route } from "#lib/web/rest/route/route.ts";
import { routes } from "./routes.ts";

/** RFC 9457, as `toProblem` writes it. */
const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string(),
    detail: z.string(),
    errors: z
      .array(
        z.object({
          path: z.string(),
          code: z.enum(fieldErrorCodes),
          message: z.string(),
          limit: z.number().optional(),
          name: z.string().optional(),
          line: z.int().optional(),
          column: z.int().optional(),
        }),
      )
      .optional(),
  })
  .meta({ id: "Problem" });

type JsonSchema = Record<string, unknown>;
type Components = Record<string, JsonSchema>;

/** The OpenAPI 3.1 document of every call in the table. */
export function buildOpenApi(origin: string) {
  const components: Components = {};
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
    tags: listTags().map((name) => ({ name })),
    paths: toPaths(components),
    components: {
      schemas: components,
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
  };
}

let cached: { readonly origin: string; readonly text: string } | undefined;

/** The document as JSON, built once. */
export function openApiText(origin: string): string {
  if (cached?.origin !== origin) cached = { origin, text: JSON.stringify(buildOpenApi(origin)) };
  return cached.text;
}

const tagOf = ({ path }: Route) => path.split("/")[1] ?? "";
const listTags = () => [...new Set(routes.map(tagOf))];

function toPaths(components: Components) {
  const byPath = Object.entries(Object.groupBy(routes, ({ path }) => path));
  return Object.fromEntries(
    byPath.map(([path, at = []]) => [
      path,
      Object.fromEntries(
        at.map((route) => [route.method.toLowerCase(), toOperation(route, components)]),
      ),
    ]),
  );
}

function toOperation(route: Route, components: Components) {
  const { operationId, summary, description, status, repeatedStatus, response, scope } = route;
  const json = (schema: z.ZodType) => toJsonSchema(schema, components);
  const content =
    response === null ? {} : { content: { "application/json": { schema: json(response) } } };
  return {
    operationId,
    summary,
    description: [description, `Needs the scope \`${scope}\`.`].join(" ").trim(),
    tags: [tagOf(route)],
    ...toRequest(route, components),
    responses: {
      [status]: { description: status === 204 ? "Done" : "Success", ...content },
      ...(repeatedStatus === undefined
        ? {}
        : { [repeatedStatus]: { description: "An earlier request has done it", ...content } }),
      "4XX": {
        description: "The request was rejected",
        content: { "application/problem+json": { schema: json(problem) } },
      },
    },
  };
}

/** Fields that the path names are its parameters. The others are the query, or the body. */
function toRequest({ method, path, input, example }: Route, components: Components) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const schema = toJsonSchema(input, components);
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const required = new Set((schema.required ?? []) as string[]);
  const others = Object.keys(properties).filter((name) => !names.includes(name));
  const toParameter = (name: string, place: "path" | "query") => ({
    name,
    in: place,
    required: place === "path" || required.has(name),
    schema: properties[name] ?? { type: "string" },
  });
  const parameters = [
    ...names.map((name) => toParameter(name, "path")),
    ...(hasBody(method) ? [] : others.map((name) => toParameter(name, "query"))),
  ];
  if (!hasBody(method) || others.length === 0) return { parameters };
  const body = {
    ...schema,
    properties: Object.fromEntries(others.map((name) => [name, properties[name]])),
    required: others.filter((name) => required.has(name)),
  };
  const content = { schema: body, ...(example === undefined ? {} : { example }) };
  return { parameters, requestBody: { content: { "application/json": content } } };
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
