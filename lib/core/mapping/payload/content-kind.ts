/**
 * The kind of a body by its Content-Type alone. `json` must be JSON, `maybe-json` (`+json` types, text, or
 * no type at all) is JSON if it parses, and `lines` is a list of JSON texts, one per line. `form` is
 * `application/x-www-form-urlencoded`, and `multipart` is `multipart/form-data`. Whatever the type
 * says, a body that parses as a JSON object or list, or as XML, is that: see `readPayload`.
 */
type ContentKind = "json" | "maybe-json" | "lines" | "form" | "multipart" | "xml" | "other";

export function classifyContentType(contentType: string | null): ContentKind {
  if (contentType === null) return "maybe-json";
  // The two most common types, without parsing.
  if (contentType === "application/json" || contentType === "application/json; charset=utf-8")
    return "json";
  const type = (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
  if (type === "application/json" || type === "text/json") return "json";
  if (linesPattern.test(type)) return "lines";
  if (type === "" || type.endsWith("+json")) return "maybe-json";
  // Amazon SNS and others post JSON as text/plain.
  if (type === "text/plain") return "maybe-json";
  if (type === "multipart/form-data") return "multipart";
  if (type === "application/x-www-form-urlencoded") return "form";
  return /[/+]xml$/.test(type) ? "xml" : "other";
}

/** Newline-delimited JSON has no registered type. RFC 7464 and RFC 8142 have. */
const linesPattern =
  /^(?:application|text)\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines|json-seq|json-stream|jsonstream)$|\+json-seq$|^application\/stream\+json$/;
