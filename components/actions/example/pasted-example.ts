import type { Pair } from "#components/ui/form/pairs.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import type { ExampleRequest } from "#lib/core/mapping/mapping-example/example-request.ts";
import { readExample, readPairs } from "#lib/core/mapping/mapping-example/read-example.ts";
import type { MappedRequest } from "#lib/core/mapping/mapping-example/write-example.ts";
import { parseCurlCommand } from "../draft/parse-curl-command.ts";
import type { RequestDraft } from "../draft/request-draft.ts";

export type PastedExample = {
  readonly example: ExampleRequest;
  /** The parts of a curl command that aren't mapped, such as the method and credentials. */
  readonly request: Partial<RequestDraft>;
  readonly notes: readonly string[];
};

type ReadPasted =
  | { readonly ok: true; readonly pasted: PastedExample }
  | { readonly ok: false; readonly message: string };

/** Reads JSON, a form, a URL, or a curl command. */
export function readPasted(text: string): ReadPasted {
  if (/^\s*\$?\s*curl\s/.test(text)) return readCurl(text);
  const read = readExample(text);
  if (!read.ok) return read;
  return { ok: true, pasted: { example: read.example, request: {}, notes: [] } };
}

/** The example as JSON text for the server. Numbers keep their digits. */
export function toExampleJson({ example }: PastedExample): string {
  const written = stringifyExactJson(example);
  return written.ok ? written.text : "null";
}

/** The request fields that the mapped example fills in. */
export function toRequest(
  { request }: PastedExample,
  { url, query, body }: MappedRequest,
): Partial<RequestDraft> {
  const { headers = [], ...rest } = request;
  const own = headers.filter(({ name }) => name.toLowerCase() !== "content-type");
  const typed = (value: string) => ({
    headers: [...own, { name: "Content-Type", value }].map((pair, key) => ({ ...pair, key })),
  });
  const shared = {
    ...rest,
    ...(url === null ? {} : { url }),
    ...(query.length === 0 ? {} : { query: toPairs(query) }),
  };
  switch (body.kind) {
    case "json": {
      const written = JSON.stringify(body.value, null, 2);
      return { ...shared, headers: own, bodyMode: "json", bodyJson: written };
    }
    case "text":
      return { ...shared, ...typed("application/json"), bodyMode: "text", bodyText: body.text };
    case "form":
      return {
        ...shared,
        ...typed("application/x-www-form-urlencoded"),
        bodyMode: "fields",
        bodyFields: toPairs(body.fields),
      };
    case "none":
      return { ...shared, ...(headers.length === 0 ? {} : { headers }) };
    default:
      return body satisfies never;
  }
}

function toPairs(fields: readonly (readonly [name: string, value: string])[]): readonly Pair[] {
  return fields.map(([name, value], key) => ({ key, name, value }));
}

function readCurl(text: string): ReadPasted {
  const parsed = parseCurlCommand(text.replace(/^\s*\$\s*/, ""));
  if (!parsed.ok) return parsed;
  const { request, notes } = parsed;
  const [url = ""] = (request.url ?? "").split("?");
  const at = (request.url ?? "").indexOf("?");
  const query = at === -1 ? [] : readPairs((request.url ?? "").slice(at + 1));
  const example: ExampleRequest = { url, query, body: readBody(request) };
  return { ok: true, pasted: { example, request, notes } };
}

function readBody({
  bodyMode,
  bodyJson = "",
  bodyText = "",
}: Partial<RequestDraft>): ExampleRequest["body"] {
  if (bodyMode === "json") {
    const parsed = parseExactJson(bodyJson);
    return parsed.ok ? { kind: "json", value: parsed.value } : { kind: "none" };
  }
  if (bodyMode !== "text") return { kind: "none" };
  const read = readExample(bodyText);
  return read.ok ? read.example.body : { kind: "none" };
}
