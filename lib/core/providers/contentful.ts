import { computeHmac, decodeMac, hasMac, withOneHeader } from "#lib/core/verify/scheme/code-mac.ts";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { fail, type VerifyFailure } from "#lib/core/verify/scheme/failure.ts";
import { readHeader, type VerifyRequest } from "#lib/core/verify/scheme/request-view.ts";
import { checkAge, parseTimestamp } from "#lib/core/verify/scheme/timestamp.ts";
import { requestForSigning } from "#lib/core/verify/sign.ts";
import { allOf, byContent, inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const header = "x-contentful-signature";

const listHeader = "x-contentful-signed-headers";

const timeHeader = "x-contentful-timestamp";

const subject = `the header ${header}`;

const maxHeaders = 30;

/** Contentful's own package allows 30 s; we allow more for unsynchronized clocks. */
const window = { pastSeconds: 300, futureSeconds: 300 } as const;

/** The path and query as Contentful writes them, which escapes the query twice. */
function toCanonicalPath(url: string): string {
  const [, path = "/"] = /^https?:\/\/[^/?#]*([^#]*)/.exec(url) ?? [];
  const [pathname = "", search = ""] = (path.startsWith("/") ? path : `/${path}`).split("?");
  return encodeURI(search === "" ? pathname : `${pathname}?${encodeURIComponent(search)}`);
}

function toSignedText(request: VerifyRequest, names: readonly string[]): Buffer | VerifyFailure {
  const pairs: string[] = [];
  for (const name of names) {
    const reading = readHeader(request.headers, name);
    if (reading.found === "many") return fail("header_repeated", `the header ${name}`);
    if (reading.found === "none") return fail("header_missing", `the header ${name}`);
    pairs.push(`${name}:${reading.value.trim()}`);
  }
  const head = [request.method, toCanonicalPath(request.url), pairs.join(";"), ""].join("\n");
  return Buffer.concat([Buffer.from(head, "latin1"), request.body]);
}

/**
 * The header lists the signed headers. Time and list must be among them, or they would prove
 * nothing.
 */
function readNames(request: VerifyRequest): readonly string[] | VerifyFailure {
  const list = readHeader(request.headers, listHeader);
  if (list.found === "none") return fail("header_missing", `the header ${listHeader}`);
  if (list.found === "many") return fail("header_repeated", `the header ${listHeader}`);
  const names = list.value.toLowerCase().split(",", maxHeaders + 1);
  const isComplete = names.includes(listHeader) && names.includes(timeHeader);
  const isPlain =
    names.length <= maxHeaders && names.every((name) => /^[a-z0-9_-]{1,128}$/.test(name));
  return isComplete && isPlain ? names : fail("header_unexpected", `the header ${listHeader}`);
}

const scheme: CodeScheme = {
  kind: "code",
  proof:
    "HMAC-SHA256, hex, of method, path, the headers that " +
    "x-contentful-signed-headers names and the body, in the header " +
    "x-contentful-signature",
  window,
  takesSecret: true,
  proofHeaders: [header, listHeader],
  findSecretProblem: () => null,
  prepare: withOneHeader(header, (value, { keys, request, nowMs, toleranceSeconds }) => {
    const signature = decodeMac(value, "sha256", "hex");
    if (signature === null) return fail("signature_malformed", subject);
    const names = readNames(request);
    if ("reason" in names) return names;
    const text = toSignedText(request, names);
    if ("reason" in text) return text;
    if (!hasMac("sha256", keys, [text], [signature])) return fail("signature_mismatch", subject);
    const time = readHeader(request.headers, timeHeader);
    const sentMs = time.found === "one" ? parseTimestamp(time.value, "ms") : null;
    const about = `the header ${timeHeader}`;
    if (sentMs === null) return fail("timestamp_malformed", about);
    return checkAge(sentMs, nowMs, window, toleranceSeconds, about) ?? { signed: text };
  }),
  sign: ({ secret, body, url, method, timestampMs }) => {
    const names = [listHeader, timeHeader, "x-contentful-topic"];
    const headers = {
      [listHeader]: names.join(","),
      [timeHeader]: String(timestampMs),
      "x-contentful-topic": "ContentManagement.Entry.publish",
    };
    const text = toSignedText(requestForSigning(body, url, method, headers), names);
    if ("reason" in text) throw new Error("a header that is signed is missing");
    return {
      headers: { ...headers, [header]: computeHmac("sha256", secret, text).toString("hex") },
      body,
      url,
    };
  },
};

export const contentful: Provider = {
  id: "contentful",
  name: "Contentful",
  scheme,
  eventId: [
    inHeader("x-contentful-idempotency-key"),
    allOf(inHeader("x-contentful-topic"), byContent),
    byContent,
  ],
  identity: {
    why:
      "Contentful sends an idempotency key; without it, the body holds the entry's " +
      "revision and time, and only the header says what happened to it.",
    source: null,
  },
  replay: { isOn: true, why: "a timestamp in milliseconds is signed" },
  eventType: [inHeader("x-contentful-topic"), inBody("sys.type")],
  secretHelp: "The space's (or the app's) signing secret: 64 characters, shown once.",
  whereToPaste:
    "Settings → Webhooks → Add Webhook: paste the catch URL; Webhooks → " +
    "Settings → Enable request verification shows the signing secret.",
  docsUrl: "https://www.contentful.com/developers/docs/webhooks/request-verification/",
  proof: { package: "@contentful/node-apps-toolkit", describedBy: "provider" },
};
