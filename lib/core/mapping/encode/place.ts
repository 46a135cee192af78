/**
 * Where a template's text is used, which decides how its values are encoded:
 * - `text` as is; `header` the same, and rejects characters that a header can't contain
 * - `url` percent-encoded; a value can't open or close a path segment, nor make one empty, `.`, or
 *   `..`
 * - `form` percent-encoded for application/x-www-form-urlencoded
 * - `json` as part of a JSON string inside quotes, as a JSON value outside; `jsonLines`,
 *   `jsonSequence`, `graphql`, and `yaml` likewise
 * - `xml` with the five XML characters as entities
 * - `csv` quoted; `tsv` without tabs and line breaks, which it can't express
 * - `calendar` with the escapes of iCalendar and vCard; `lines` without line breaks
 * - `message` and `multipart` without line breaks in headers, and without a boundary in content
 */
export type Place =
  | "text"
  | "header"
  | "url"
  | "form"
  | "json"
  | "jsonLines"
  | "jsonSequence"
  | "graphql"
  | "yaml"
  | "xml"
  | "csv"
  | "tsv"
  | "calendar"
  | "lines"
  | "message"
  | "multipart";

/**
 * The place of a text body, by its declared Content-Type. A type that we don't know is `text`, as
 * is none at all.
 */
export function placeOfType(contentType: string | null): Place {
  const { type, subtype } = readMediaType(contentType);
  if (type === "multipart" || type === "message") return type;
  const whole = places.get(subtype.replace(/^(?:x-|vnd\.)/, ""));
  if (whole !== undefined) return whole;
  const suffix = /\+([^+]+)$/.exec(subtype)?.[1] ?? "";
  return places.get(suffix.replace(/^x-/, "")) ?? "text";
}

/** In lower case, without parameters. Empty: there is none. */
export function readMediaType(contentType: string | null) {
  const essence = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const [type = "", ...rest] = essence.split("/");
  return { essence, type, subtype: rest.join("/") };
}

const named: Readonly<Partial<Record<Place, string>>> = {
  json: "json amz-json-1.0 amz-json-1.1 json-rpc jsonrpc jsonrequest csp-report",
  jsonLines:
    "ndjson nd-json nljson jsonl json-l jsonline jsonlines json-lines ldjson json-stream jsonstream " +
    "stream+json newline-delimited-json line-delimited-json",
  jsonSequence: "json-seq jsonseq",
  graphql: "graphql",
  yaml: "yaml yml",
  xml: "xml html xml-external-parsed-entity",
  form: "www-form-urlencoded form-urlencoded",
  csv: "csv comma-separated-values",
  tsv: "tsv tab-separated-values",
  calendar: "calendar vcalendar vcard directory",
  lines: "uri-list event-stream openmetrics-text ldif",
  message: "http",
};

/** By subtype, or by structured suffix (RFC 6839), without `x-` or `vnd.`. */
const places: ReadonlyMap<string, Place> = new Map(
  (Object.entries(named) as [Place, string][]).flatMap(([place, names]) =>
    names.split(" ").map((name) => [name, place] as const),
  ),
);
