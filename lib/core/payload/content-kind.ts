/**
 * The way in which a delivery's body is read, by Content-Type. `json` must be JSON. `maybe-json`
 * (`+json` types, or no type at all) is JSON if it parses. `form` is
 * `application/x-www-form-urlencoded`, `multipart` is `multipart/form-data`, and everything else is
 * bytes.
 */
type ContentKind = "json" | "maybe-json" | "form" | "multipart" | "other";

export function classifyContentType(contentType: string | null): ContentKind {
  if (contentType === null) return "maybe-json";
  // The two most common types, without parsing.
  if (contentType === "application/json" || contentType === "application/json; charset=utf-8")
    return "json";
  const type = (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
  if (type === "application/json" || type === "text/json") return "json";
  if (type === "" || type.endsWith("+json")) return "maybe-json";
  // Amazon SNS and others post JSON as text/plain.
  if (type === "text/plain") return "maybe-json";
  if (type === "multipart/form-data") return "multipart";
  return type === "application/x-www-form-urlencoded" ? "form" : "other";
}
