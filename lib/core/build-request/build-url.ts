import { encodeUrlText } from "#lib/core/template/encode-parts.ts";
import { isSingleOutput, type RenderInput, renderText } from "#lib/core/template/render-template.ts";
import type { ActionRequestTemplate } from "#lib/schema/action.ts";
import type { BuildRequestInput } from "./build-request-input.ts";
import type { ProblemList } from "./problem-list.ts";
import { readTemplateOrigin } from "./template-origin.ts";

/** Servers and proxies refuse longer ones (RFC 9110 §4.1 asks for 8000 octets at least). */
const maxUrlChars = 16 * 1024;

/** The absolute URL with its query, or null with the reasons in `problems`. */
export function buildUrl(
  input: BuildRequestInput,
  render: RenderInput,
  problems: ProblemList,
): string | null {
  const { request, auth } = input;
  const isDynamic = isSingleOutput(request.url);
  if (isDynamic && auth !== null) {
    problems.add("url_invalid", "url", [
      "credentials are sent to a fixed origin only, and this URL is wholly a template",
    ]);
  }
  const rendered = renderText(request.url, isDynamic ? "text" : "url", render);
  const query = buildQuery(request, render, problems);
  if (!rendered.ok) {
    problems.add("mapping_failed", "url", rendered.messages);
    return null;
  }
  const checked = checkUrl(rendered.text, isDynamic ? null : request.url);
  if (!checked.ok) {
    problems.add("url_invalid", "url", [checked.message]);
    return null;
  }
  const url = addQuery(checked.url, query);
  if (url.length <= maxUrlChars) return url;
  problems.add("url_invalid", "url", [`the URL has more than ${maxUrlChars} characters`]);
  return null;
}

function buildQuery(request: ActionRequestTemplate, render: RenderInput, problems: ProblemList): string[] {
  return Object.entries(request.query).flatMap(([name, template]) => {
    const rendered = renderText(template, "text", render);
    if (!rendered.ok) {
      problems.add("mapping_failed", `query.${name}`, rendered.messages);
      return [];
    }
    if (rendered.text.isWellFormed() && name.isWellFormed())
      return [`${encodeUrlText(name)}=${encodeUrlText(rendered.text)}`];
    problems.add("url_invalid", `query.${name}`, ["a URL can't hold half of a surrogate pair"]);
    return [];
  });
}

type CheckedUrl = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly message: string };

/** Parses what was rendered again and compares origins: whatever the values were, the host is the one that was saved. */
function checkUrl(text: string, template: string | null): CheckedUrl {
  const url = URL.parse(text);
  if (url === null) return { ok: false, message: `"${shorten(text)}" is not an absolute URL` };
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return { ok: false, message: `the scheme ${url.protocol} is not http or https` };
  }
  // The parser drops or rewrites these, so that the URL on paper would not be the one that is called.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
  if (/[\x00-\x20\x7f\\]/.test(text))
    return { ok: false, message: "a URL can't hold spaces, control characters or backslashes" };
  if (url.username !== "" || url.password !== "" || /^[a-z]+:\/\/[^/?#]*@/i.test(text)) {
    return { ok: false, message: "a URL can't hold a user name or password; use auth" };
  }
  if (template !== null && url.origin !== readTemplateOrigin(template)) {
    return { ok: false, message: "the template changed the scheme, host or port" };
  }
  url.hash = "";
  return { ok: true, url };
}

function addQuery(url: URL, pairs: readonly string[]): string {
  if (pairs.length === 0) return url.href;
  const before = url.search === "" ? `${url.href.replace(/\?$/, "")}?` : `${url.href}&`;
  return before + pairs.join("&");
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
