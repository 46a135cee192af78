import { shorten } from "#lib/base/shorten.ts";
import { isTemplate } from "#lib/core/mapping/template/compile-template.ts";
import { encodeUrlText } from "#lib/core/mapping/template/encode-parts.ts";
import {
  isSingleOutput,
  type RenderFailure,
  type RenderInput,
  renderText,
} from "#lib/core/mapping/template/render-template.ts";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import type { BuildRequestInput } from "./build-request-input.ts";
import { readForwardedQuery } from "./forward-delivery.ts";
import type { ProblemList } from "./problem-list.ts";
import { readTemplateOrigin } from "./template-origin.ts";

/** Servers and proxies reject longer URLs (RFC 9110 §4.1 requires at least 8000 octets). */
const maxUrlChars = 16 * 1024;

/** The absolute URL with its query, or null with the reasons in `problems`. */
export function buildUrl(
  input: BuildRequestInput,
  render: RenderInput,
  problems: ProblemList,
): string | null {
  const { request, auth } = input;
  const plan = planUrl(request, render);
  if (plan.isDynamic && auth !== null) {
    problems.add("url_invalid", "url", [
      "credentials need a fixed origin, but the whole URL is a template",
    ]);
  }
  const resolved = plan.fixed ?? resolveUrl(request, plan, render);
  const query = buildQuery(request, render, problems);
  if (auth?.type === "query")
    query.push(`${encodeUrlText(auth.name)}=${encodeUrlText(auth.value)}`);
  if (request.forward?.query === true) query.push(...listForwarded(input, problems));
  if (!resolved.ok) {
    if ("messages" in resolved) problems.addFailure("mapping_failed", "url", resolved);
    else problems.add("url_invalid", "url", [resolved.message]);
    return null;
  }
  const url = addQuery(resolved.url, query);
  if (url.length <= maxUrlChars) return url;
  problems.add("url_invalid", "url", [`the URL is longer than ${maxUrlChars} characters`]);
  return null;
}

/** Everything that is known about an action's URL template before it is rendered. */
type UrlPlan = {
  /** The whole URL is one value from the delivery. */
  readonly isDynamic: boolean;
  /** The fixed origin. Null if it is dynamic, or if the template is invalid. */
  readonly origin: string | null;
  /** The URL itself, if it has no templates. */
  readonly fixed: ResolvedUrl | null;
};

type ResolvedUrl = CheckedUrl | RenderFailure;

/** A worker keeps an action's request until the action changes. */
const plans = new WeakMap<ActionRequestTemplate, UrlPlan>();

function planUrl(request: ActionRequestTemplate, render: RenderInput): UrlPlan {
  const known = plans.get(request);
  if (known !== undefined) return known;
  const isDynamic = isSingleOutput(request.url);
  const origin = isDynamic ? null : readTemplateOrigin(request.url);
  const open = { isDynamic, origin, fixed: null };
  const plan = isTemplate(request.url)
    ? open
    : { ...open, fixed: resolveUrl(request, open, render) };
  plans.set(request, plan);
  return plan;
}

function resolveUrl(
  { url }: ActionRequestTemplate,
  plan: UrlPlan,
  render: RenderInput,
): ResolvedUrl {
  const rendered = renderText(url, plan.isDynamic ? "text" : "url", render);
  return rendered.ok ? checkUrl(rendered.text, plan) : rendered;
}

function buildQuery(
  request: ActionRequestTemplate,
  render: RenderInput,
  problems: ProblemList,
): string[] {
  return Object.entries(request.query).flatMap(([name, template]) => {
    const rendered = renderText(template, "text", render);
    if (!rendered.ok) {
      problems.addFailure("mapping_failed", `query.${name}`, rendered);
      return [];
    }
    if (rendered.text.isWellFormed() && name.isWellFormed())
      return [`${encodeUrlText(name)}=${encodeUrlText(rendered.text)}`];
    problems.add("url_invalid", `query.${name}`, ["a URL can't contain half of a surrogate pair"]);
    return [];
  });
}

/** Forwarded unchanged, so it may only contain characters that are valid in a request line. */
function listForwarded({ context }: BuildRequestInput, problems: ProblemList): string[] {
  const forwarded = readForwardedQuery(context.raw);
  if (forwarded === "") return [];
  if (/^[\x21-\x7e]+$/.test(forwarded)) return [forwarded];
  problems.add("url_invalid", "forward.query", [
    "the delivery's query has characters that are invalid in a URL",
  ]);
  return [];
}

type CheckedUrl =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly message: string };

/** Parses the rendered URL and compares origins, so that values can't change the saved host. */
function checkUrl(text: string, { isDynamic, origin }: UrlPlan): CheckedUrl {
  const url = URL.parse(text);
  if (url === null) return { ok: false, message: `"${shorten(text, 100)}" is not an absolute URL` };
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return { ok: false, message: `the scheme ${url.protocol} is not http or https` };
  }
  // The parser drops or rewrites these, so the URL would differ from the one shown.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: rejecting them is the point
  if (/[\x00-\x20\x7f\\]/.test(text))
    return { ok: false, message: "a URL can't contain spaces, control characters, or backslashes" };
  if (url.username !== "" || url.password !== "" || /^[a-z]+:\/\/[^/?#]*@/i.test(text)) {
    return { ok: false, message: "a URL can't contain a username or password; use auth" };
  }
  if (!isDynamic && url.origin !== origin) {
    return { ok: false, message: "the template changed the scheme, host, or port" };
  }
  url.hash = "";
  return { ok: true, url };
}

function addQuery(url: URL, pairs: readonly string[]): string {
  if (pairs.length === 0) return url.href;
  const before = url.search === "" ? `${url.href.replace(/\?$/, "")}?` : `${url.href}&`;
  return before + pairs.join("&");
}
