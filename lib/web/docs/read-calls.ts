import { type ErrorCode, errorTable } from "#lib/base/errors.ts";
import type { CallTrial, ShownCall, ShownField } from "#lib/schema/shown-call.ts";
import type { JsonSchema } from "#lib/web/api/shared-shapes.ts";
import { apiDocument, type Content, callsOfPage, type Operation } from "./calls/api-document.ts";
import { type Field, type FieldTexts, listFields, toField } from "./calls/list-fields.ts";
import { readFieldTexts } from "./calls/read-field-texts.ts";
import { type SampleCall, writeSamples } from "./calls/write-samples.ts";
import { readDocsSources } from "./read-docs.ts";
import { renderInline } from "./render-markdown.ts";

/** Fields that many calls have, and no page explains. */
const commonTexts = {
  cursor: "`nextCursor` of the page before. Left out: the first page",
  limit: "How many items to return. Default: 50",
  q: "Text to look for",
};

const cache = new Map<string, readonly ShownCall[]>();

/** Pages whose tables describe what several nouns have. */
const sharedPages = ["api/actions", "api/mapping", "api/retries", "api/bodies"];

/** The calls of a page of the API, for people. Empty for any other page. */
export async function readCalls(page: string, origin: string): Promise<readonly ShownCall[]> {
  const operations = callsOfPage(page);
  if (operations.length === 0) return [];
  const key = `${origin} ${page}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const sources = await readDocsSources();
  const textOf = (name: string) => sources.find((source) => source.name === name)?.text ?? "";
  const texts = readFieldTexts([page, ...sharedPages].map(textOf).join("\n"), commonTexts);
  const pages = sources.map(({ name }) => name);
  const toHtml = (markdown: string) => renderInline(markdown, { page, pages });
  const views = explainOnce(
    operations.map((operation) => toView(operation, { origin, texts, toHtml })),
  );
  cache.set(key, views);
  return views;
}

/** Most calls of a noun return the noun: its fields are explained by the first one. */
function explainOnce(views: readonly ShownCall[]): readonly ShownCall[] {
  return views.map((view, at) => {
    const names = view.returned.map(({ name }) => name);
    const first = views.slice(0, at).find(({ returned }) => {
      const known = new Set(returned.map(({ name }) => name));
      return names.length >= minExplained && names.every((name) => known.has(name));
    });
    if (first === undefined) return view;
    return { ...view, returned: [], sameAs: { id: first.id, summary: first.summary } };
  });
}

const minExplained = 4;

type Options = {
  readonly origin: string;
  readonly texts: FieldTexts;
  readonly toHtml: (markdown: string) => string;
};

function toView(operation: Operation, { origin, texts, toHtml }: Options): ShownCall {
  const { operationId, summary, description, method, path, responses } = operation;
  const { shapes } = apiDocument();
  const [, about = "", scope = ""] =
    /^(.*?)\s*Needs the scope `([^`]+)`\.$/s.exec(description) ?? [];
  const [status = "200", success] =
    Object.entries(responses).find(([each]) => each.startsWith("2")) ?? [];
  const shown = firstOf(success?.content);
  const show = (fields: readonly Field[]): readonly ShownField[] =>
    fields.map(({ text, fields: inner, ...rest }) => ({
      ...rest,
      html: toHtml(text),
      fields: show(inner),
    }));
  const body = operation.requestBody?.content["application/json"];
  const given = [
    { title: "Path", fields: show(listParameters(operation, "path", texts)) },
    { title: "Query", fields: show(listParameters(operation, "query", texts)) },
    {
      title: "Body",
      fields: body === undefined ? [] : show(listFields(body.schema, { shapes, texts, levels: 3 })),
    },
  ];
  return {
    id: operationId,
    method,
    path,
    summary,
    html: toHtml(about),
    scope,
    given: given.filter(({ fields }) => fields.length > 0),
    returned: shown === undefined ? [] : show(listReturned(shown.schema, texts)),
    sameAs: null,
    samples: writeSamples(toSample(operation, origin)),
    status: Number(status),
    response: shown === undefined ? null : JSON.stringify(shown.example, null, 2),
    errors: operation["x-errors"].map((code) => ({ code, ...errorTable[code as ErrorCode] })),
    trial: returnsOf(operation) === "events" ? null : toTrial(operation, scope),
  };
}

/** Of a list, the fields of its items. */
function listReturned(schema: JsonSchema, texts: FieldTexts): readonly Field[] {
  const { shapes } = apiDocument();
  const options = { shapes, texts, levels: 2 };
  const fields = listFields(schema, options);
  const data = ((schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>).data;
  const isList = data !== undefined && fields.some(({ name }) => name === "nextCursor");
  return isList ? listFields(data, options) : fields;
}

function firstOf(content: Content = {}) {
  return Object.values(content)[0];
}

function listParameters(
  { parameters }: Operation,
  place: "path" | "query",
  texts: FieldTexts,
): readonly Field[] {
  const { shapes } = apiDocument();
  return parameters
    .filter((each) => each.in === place)
    .map(({ name, schema, required, description }) => {
      const field = toField(name, schema, required, { shapes, texts, levels: 1 });
      return description === undefined ? field : { ...field, text: description };
    });
}

function toSample(operation: Operation, origin: string): SampleCall {
  const { method, path, operationId, parameters, requestBody } = operation;
  const body = requestBody?.content["application/json"]?.example;
  const known = parameters.filter(({ example }) => example !== undefined);
  const values = Object.fromEntries(known.map(({ name, example }) => [name, example]));
  const query = new URLSearchParams(
    known.filter((each) => each.in === "query").map(({ name, example }) => [name, String(example)]),
  );
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values[name])),
  );
  const search = query.size === 0 ? "" : `?${query}`;
  return {
    ...{ method, operationId, origin, body, returns: returnsOf(operation) },
    url: `${origin}/api/v1${filled}${search}`,
    input: { ...values, ...(body as object | undefined) },
  };
}

function returnsOf({ responses }: Operation): SampleCall["returns"] {
  const content = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1].content;
  if (content === undefined) return "nothing";
  if (content["text/event-stream"] !== undefined) return "events";
  if (content["application/x-ndjson"] !== undefined) return "rows";
  const { properties = {} } = (firstOf(content)?.schema ?? {}) as { properties?: object };
  return "data" in properties && "nextCursor" in properties ? "list" : "value";
}

/** Calls that take something away which doesn't come back. */
const destructive = /^(?:delete|end|remove|revoke|rotate|transfer|leave|cancel)(?=[A-Z])/;

function toTrial(operation: Operation, scope: string): CallTrial {
  const { operationId, summary, method, path, parameters, requestBody } = operation;
  const { shapes } = apiDocument();
  const none = () => "";
  return {
    ...{ id: operationId, summary, method, path, scope },
    isDestructive: method === "DELETE" || destructive.test(operationId),
    parameters: parameters.map(({ name, schema, required, ...each }) => ({
      name,
      in: each.in,
      isRequired: required,
      hint: toField(name, schema, required, { shapes, texts: none, levels: 1 }).type,
      example: each.example === undefined ? "" : String(each.example),
    })),
    body:
      requestBody === undefined
        ? null
        : JSON.stringify(requestBody.content["application/json"]?.example ?? {}, null, 2),
  };
}
