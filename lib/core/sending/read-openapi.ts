/**
 * The event types of an OpenAPI 3.1 document: its `webhooks`
 * (https://spec.openapis.org/oas/v3.1.1.html#oas-webhooks).
 */
import { parse } from "yaml";
import {
  catalogTypeName,
  type EventTypeInput,
  eventTypeSchema,
} from "#lib/schema/send/event-type.ts";
import { findSchemaProblem } from "./event-schema.ts";

export type ImportedTypes = {
  readonly entries: readonly (EventTypeInput & { readonly name: string })[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
};

type ReadDocument =
  | ({ readonly ok: true } & ImportedTypes)
  | { readonly ok: false; readonly message: string };

type JsonObject = Readonly<Record<string, unknown>>;

const maxWebhooks = 1_000;
const maxReferences = 200;

/** @param document an object, or its text in JSON or YAML */
export function readOpenApi(document: unknown): ReadDocument {
  const root = typeof document === "string" ? readText(document) : document;
  if (!isObject(root)) return fail("is neither JSON nor YAML");
  if (typeof root.openapi !== "string" || !/^3\.[1-9]/.test(root.openapi))
    return fail("must be an OpenAPI document of version 3.1 or later");
  if (!isObject(root.webhooks) || Object.keys(root.webhooks).length === 0)
    return fail("has no webhooks");
  const webhooks = Object.entries(root.webhooks);
  if (webhooks.length > maxWebhooks) return fail(`must have at most ${maxWebhooks} webhooks`);
  const entries: (EventTypeInput & { name: string })[] = [];
  const skipped: { name: string; reason: string }[] = [];
  for (const [name, item] of webhooks) {
    const read = readWebhook(root, name, item);
    if (typeof read === "string") skipped.push({ name, reason: read });
    else entries.push({ ...read, name });
  }
  return { ok: true, entries, skipped };
}

function readText(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 100 });
  } catch {
    return null;
  }
}

/** The entry, or the reason why there is none. */
function readWebhook(root: JsonObject, name: string, given: unknown): EventTypeInput | string {
  const parsedName = catalogTypeName.safeParse(name);
  if (!parsedName.success) return `The name ${parsedName.error.issues[0]?.message}.`;
  const item = follow(root, given);
  const operation = isObject(item) ? (item.post ?? item.put) : undefined;
  if (!isObject(operation)) return "It has no POST operation.";
  const body = follow(root, operation.requestBody);
  const content = isObject(body) && isObject(body.content) ? body.content : {};
  const media = Object.entries(content).find(([type]) =>
    /^application\/([\w.-]+\+)?json\b/.test(type),
  );
  const json = isObject(media?.[1]) ? media[1] : {};
  const bundled = json.schema === undefined ? null : bundle(root, json.schema);
  const { schema, isEnvelope } = pickData(bundled);
  const example = readExample(root, json);
  const description = operation.description ?? operation.summary;
  const entry = eventTypeSchema.safeParse({
    description: typeof description === "string" ? description.slice(0, 2_000) : null,
    schema,
    example: isEnvelope && isObject(example) ? (example.data ?? null) : example,
    deprecated: operation.deprecated === true,
  });
  if (!entry.success) {
    const [issue] = entry.error.issues;
    return `Its ${issue?.path.join(".")} ${issue?.message}.`;
  }
  const problem = entry.data.schema === null ? null : findSchemaProblem(entry.data);
  if (problem === null) return entry.data;
  return `Its ${problem.path === "schema" ? "schema" : "example"} ${problem.message}.`;
}

/** A schema of `{type, data}` describes the whole event. The catalog needs the schema of `data`. */
function pickData(schema: unknown): { schema: unknown; isEnvelope: boolean } {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  if (!isObject(schema) || properties.data === undefined || properties.type === undefined)
    return { schema, isEnvelope: false };
  const { data } = properties;
  const definitions = schema.$defs === undefined ? {} : { $defs: schema.$defs };
  return { schema: isObject(data) ? { ...data, ...definitions } : data, isEnvelope: true };
}

function readExample(root: JsonObject, media: JsonObject): unknown {
  if (media.example !== undefined) return media.example;
  const [first] = isObject(media.examples) ? Object.values(media.examples) : [];
  const example = follow(root, first);
  return isObject(example) ? (example.value ?? null) : null;
}

/** Copies the schemas that a schema refers to into its `$defs`, so that it works alone. */
function bundle(root: JsonObject, schema: unknown): unknown {
  const definitions: Record<string, unknown> = {};
  const waiting: string[] = [];
  const rewrite = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewrite);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => {
        const name =
          key === "$ref"
            ? /^#\/components\/schemas\/([\w.-]+)$/.exec(String(part))?.[1]
            : undefined;
        if (name === undefined) return [key, rewrite(part)];
        if (!Object.hasOwn(definitions, name) && Object.keys(definitions).length < maxReferences) {
          definitions[name] = true;
          waiting.push(name);
        }
        return [key, `#/$defs/${name}`];
      }),
    );
  };
  // A schema that is only a reference is replaced by its target: `$defs` next to a reference would
  // be unreadable.
  const whole = rewrite(follow(root, schema));
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop())
    definitions[name] = rewrite(follow(root, { $ref: `#/components/schemas/${name}` }) ?? true);
  if (!isObject(whole) || Object.keys(definitions).length === 0) return whole;
  return { ...whole, $defs: { ...(isObject(whole.$defs) ? whole.$defs : {}), ...definitions } };
}

/** Resolves a reference within the document. Null: it points to nothing. */
function follow(root: JsonObject, value: unknown): unknown {
  let current = value;
  for (let step = 0; step < 10; step += 1) {
    if (!isObject(current) || typeof current.$ref !== "string") return current;
    const path = /^#\/(.+)$/.exec(current.$ref)?.[1]?.split("/");
    if (path === undefined) return null;
    current = path.reduce<unknown>(
      (found, name) => (isObject(found) && Object.hasOwn(found, name) ? found[name] : null),
      root,
    );
  }
  return null;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fail(message: string): ReadDocument {
  return { ok: false, message };
}
