/** How the URL that the sender signed can differ from the one that we compare with. */
import { type Lever, showHeaderName } from "./lever.ts";
import type { Patient } from "./patient.ts";

const remedy =
  "Paste the catch URL at the sender exactly as the hook's page shows it; where that page shows the wrong one, set CATCHMENT_PUBLIC_URL to what senders use.";

/** Nothing where the request's URL is no URL. For schemes that sign none, pulling one costs a few microseconds. */
export function listUrlLevers({ request }: Patient): readonly Lever[] {
  if (!URL.canParse(request.url)) return [];
  const seen = new Set([request.url]);
  return listVariants(request.url, request.headers).flatMap(({ url, words }) => {
    if (seen.has(url)) return [];
    seen.add(url);
    return {
      axis: "url",
      code: "url_differs",
      sentence: `This sender signs the URL too, and it has signed the catch URL ${words}. ${remedy}`,
      fix: null,
      pull: (subject) => ({ ...subject, request: { ...subject.request, url } }),
    } satisfies Lever;
  });
}

type Variant = { readonly url: string; readonly words: string };

function listVariants(url: string, headers: Patient["request"]["headers"]): readonly Variant[] {
  const { origin, protocol, host, hostname } = new URL(url);
  const rest = url.slice(origin.length);
  const other = protocol === "https:" ? "http:" : "https:";
  const shown = protocol.slice(0, -1);
  const origins: Variant[] = [
    { url: `${other}//${host}`, words: `with ${other.slice(0, -1)} instead of ${shown}` },
    { url: `${protocol}//${hostname}`, words: "without its port" },
    {
      url: `${protocol}//${hostname}:${protocol === "https:" ? 443 : 80}`,
      words: "with the port written out, though it is the usual one",
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
        words: `with ${scheme}//${value} (what its ${showHeaderName(name)} header says) instead of ${origin}`,
      })),
    ),
  ];
  return [
    ...listRests(rest).map(({ url: path, words }) => ({ url: origin + path, words })),
    ...origins.map(({ url: begin, words }) => ({ url: begin + rest, words })),
    ...origins.flatMap(({ url: begin, words }) =>
      listRests(rest).map((path) => ({ url: begin + path.url, words: `${words}, and ${path.words}` })),
    ),
  ];
}

function listRests(rest: string): readonly Variant[] {
  const start = rest.indexOf("?");
  const path = start === -1 ? rest : rest.slice(0, start);
  const query = start === -1 ? "" : rest.slice(start);
  const variants = [
    path.endsWith("/")
      ? { url: path.replace(/\/+$/, "") + query, words: "without the slash at its end" }
      : { url: `${path}/${query}`, words: "with a slash at its end" },
    { url: path, words: "without its query" },
    { url: `${rest}?`, words: "with an empty query at its end" },
    { url: decode(rest), words: "with its percent-escapes decoded" },
    { url: sortQuery(path, query), words: "with its parameters in another order" },
  ];
  return variants.filter(({ url }) => url !== rest);
}

/** A stranger wrote these headers: only what can be a host and port is repeated. */
function listSeenHosts(headers: Patient["request"]["headers"]): readonly { name: string; value: string }[] {
  return ["host", "x-forwarded-host", "x-original-host"].flatMap((name) =>
    (headers[name] ?? [])
      .slice(0, 1)
      .filter((value) => /^[A-Za-z0-9.-]{1,253}(?::\d{1,5})?$/.test(value))
      .map((value) => ({ name, value })),
  );
}

function decode(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function sortQuery(path: string, query: string): string {
  const sorted = query.slice(1).split("&").toSorted().join("&");
  return sorted === "" ? path : `${path}?${sorted}`;
}
