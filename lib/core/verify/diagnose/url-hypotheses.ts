/** The ways in which the URL that the provider signed can differ from ours. */

import { decodePercent } from "#lib/core/api/http/decode-percent.ts";
import type { DiagnosisInput } from "./diagnosis-input.ts";
import { type Hypothesis, showHeaderName } from "./hypothesis.ts";

const remedy =
  "Paste the catch URL into the provider exactly as the hook's page shows it. If the " +
  "page shows the wrong URL, set CATCHMENT_PUBLIC_URL to the one that providers use.";

/**
 * None if the request's URL is invalid. For schemes that don't sign it, each costs microseconds.
 */
export function listUrlHypotheses({ request }: DiagnosisInput): readonly Hypothesis[] {
  if (!URL.canParse(request.url)) return [];
  const seen = new Set([request.url]);
  return listVariants(request.url, request.headers).flatMap(({ url, words }) => {
    if (seen.has(url)) return [];
    seen.add(url);
    return {
      axis: "url",
      code: "url_differs",
      sentence: `The provider signs the URL too, and it signed the catch URL ${words}. ${remedy}`,
      fix: null,
      apply: (attempt) => ({ ...attempt, request: { ...attempt.request, url } }),
    } satisfies Hypothesis;
  });
}

type Variant = { readonly url: string; readonly words: string };

function listVariants(
  url: string,
  headers: DiagnosisInput["request"]["headers"],
): readonly Variant[] {
  const { origin, protocol, host, hostname } = new URL(url);
  const rest = url.slice(origin.length);
  const other = protocol === "https:" ? "http:" : "https:";
  const shown = protocol.slice(0, -1);
  const origins: Variant[] = [
    { url: `${other}//${host}`, words: `with ${other.slice(0, -1)} instead of ${shown}` },
    { url: `${protocol}//${hostname}`, words: "without its port" },
    {
      url: `${protocol}//${hostname}:${protocol === "https:" ? 443 : 80}`,
      words: "with an explicit default port",
    },
    {
      url: `${other}//${hostname}`,
      words: `with ${other.slice(0, -1)} instead of ${shown}, and without its port`,
    },
    {
      url: `${other}//${hostname}:${other === "https:" ? 443 : 80}`,
      words: `with ${other.slice(0, -1)} instead of ${shown}, and with a port`,
    },
    ...listSeenHosts(headers).flatMap(({ name, value }) =>
      [protocol, other].map((scheme) => ({
        url: `${scheme}//${value}`,
        words: `with ${scheme}//${value} (from its ${showHeaderName(name)} header) instead of ${origin}`,
      })),
    ),
  ];
  const paths = listSeenPaths(headers, rest);
  return [
    ...paths.flatMap(({ url: path, words }) => [
      { url: origin + path, words },
      ...origins.map((begin) => ({ url: begin.url + path, words: `${begin.words}, and ${words}` })),
    ]),
    ...listRests(rest).map(({ url: path, words }) => ({ url: origin + path, words })),
    ...origins.map(({ url: begin, words }) => ({ url: begin + rest, words })),
    ...origins.flatMap(({ url: begin, words }) =>
      listRests(rest).map((path) => ({
        url: begin + path.url,
        words: `${words}, and ${path.words}`,
      })),
    ),
  ];
}

function listRests(rest: string): readonly Variant[] {
  const start = rest.indexOf("?");
  const path = start === -1 ? rest : rest.slice(0, start);
  const query = start === -1 ? "" : rest.slice(start);
  const variants = [
    path.endsWith("/")
      ? { url: path.replace(/\/+$/, "") + query, words: "without the trailing slash" }
      : { url: `${path}/${query}`, words: "with a trailing slash" },
    { url: path, words: "without its query" },
    { url: `${rest}?`, words: "with an empty query" },
    { url: decodePercent(rest), words: "with its percent-escapes decoded" },
    { url: sortQuery(path, query), words: "with its parameters sorted" },
  ];
  return variants.filter(({ url }) => url !== rest);
}

/**
 * Headers are untrusted, so only a valid host and port is used. The first is the outermost proxy's.
 */
function listSeenHosts(
  headers: DiagnosisInput["request"]["headers"],
): readonly { name: string; value: string }[] {
  const named = ["host", "x-forwarded-host", "x-original-host", "x-forwarded-server"].flatMap(
    (name) =>
      (headers[name] ?? [])
        .slice(0, 1)
        .map((value) => ({ name, value: value.split(",", 1)[0]?.trim() ?? "" })),
  );
  const forwarded = /(?:^|[;,\s])host="?([^";,\s]+)/i.exec(headers.forwarded?.[0] ?? "")?.[1];
  const urls = seenUrls.flatMap((name) => {
    const url = URL.parse(headers[name]?.[0] ?? "");
    return url === null ? [] : [{ name, value: url.host }];
  });
  return [
    ...named,
    ...urls,
    ...(forwarded === undefined ? [] : [{ name: "forwarded", value: forwarded }]),
  ].filter(({ value }) => /^[A-Za-z0-9.-]{1,253}(?::\d{1,5})?$/.test(value));
}

/** Headers with the original path or URL, set by proxies that rewrite it. */
const seenUrls = [
  "x-original-url",
  "x-original-uri",
  "x-rewrite-url",
  "x-forwarded-uri",
  "x-forwarded-path",
  "x-envoy-original-path",
  "x-replaced-path",
  "x-request-uri",
];

function listSeenPaths(
  headers: DiagnosisInput["request"]["headers"],
  rest: string,
): readonly Variant[] {
  const query = rest.includes("?") ? rest.slice(rest.indexOf("?")) : "";
  const whole = seenUrls.flatMap((name) => {
    const value = headers[name]?.[0] ?? "";
    const path = value.startsWith("/")
      ? value
      : (URL.parse(value)?.href.replace(/^https?:\/\/[^/]*/, "") ?? "");
    const paths = path.includes("?") || query === "" ? [path] : [path, path + query];
    return paths.map((url) => ({
      url,
      words: `with the path from its ${showHeaderName(name)} header`,
    }));
  });
  const [prefix = ""] = (headers["x-forwarded-prefix"]?.[0] ?? "").split(",", 1);
  const prefixed =
    prefix === ""
      ? []
      : [
          {
            url: prefix.replace(/\/+$/, "") + rest,
            words: "with the prefix from its X-Forwarded-Prefix header",
          },
        ];
  return [...whole, ...prefixed].filter(
    ({ url }) => url !== rest && /^\/[\x21-\x7e]{0,2000}$/.test(url),
  );
}

function sortQuery(path: string, query: string): string {
  const sorted = query.slice(1).split("&").toSorted().join("&");
  return sorted === "" ? path : `${path}?${sorted}`;
}
