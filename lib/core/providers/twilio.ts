import { createHash } from "node:crypto";
import { computeHmac, decodeMac, hasMac, withOneHeader } from "#lib/core/verify/scheme/code-mac.ts";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { fail } from "#lib/core/verify/scheme/failure.ts";
import { RequestView } from "#lib/core/verify/scheme/request-view.ts";
import { requestForSigning } from "#lib/core/verify/sign.ts";
import { byContent, inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const header = "x-twilio-signature";

const subject = `the header ${header}`;

/**
 * The notations of one URL that Twilio may have signed: with and without a port, and with special
 * characters escaped. All are the hook's own public URL, so nothing else becomes valid.
 */
function spellingsOf(url: string): readonly string[] {
  const spellings = [url, ...withOtherPort(url)];
  const normal = URL.parse(url)?.href;
  if (normal !== undefined && normal !== url) spellings.push(normal, ...withOtherPort(normal));
  return [...new Set(spellings)];
}

function withOtherPort(url: string): readonly string[] {
  const parts = /^(https?):\/\/([^/?#]*)(.*)$/s.exec(url);
  if (parts === null) return [];
  const [, scheme, authority = "", rest] = parts;
  const host = authority.replace(/:\d+$/, "");
  if (host !== authority) return [`${scheme}://${host}${rest}`];
  return [`${scheme}://${host}:${scheme === "https" ? 443 : 80}${rest}`];
}

/** Forms sign the URL and their sorted fields. A JSON body is signed by its hash in the URL. */
const scheme: CodeScheme = {
  kind: "code",
  proof:
    "HMAC-SHA1, base64, of `{url}{form}` in the header x-twilio-signature; of " +
    "`{url}`, which then holds the SHA-256 of the body, where the body is JSON",
  takesSecret: true,
  proofHeaders: [header],
  findSecretProblem: () => null,
  prepare: withOneHeader(header, (value, { keys, request }) => {
    const signature = decodeMac(value, "sha1", "base64");
    if (signature === null) return fail("signature_malformed", subject);
    const view = new RequestView(request);
    const bodyHash = view.read({ from: "query", name: "bodySHA256" }, null);
    if (bodyHash.found === "many") return fail("header_repeated", "the query parameter bodySHA256");
    const fields = bodyHash.found === "one" ? "" : view.readSortedForm();
    if (fields === null) return fail("signature_mismatch", subject);
    const texts = spellingsOf(request.url).map((url) => url + fields);
    if (!hasMac("sha1", keys, texts, [signature])) return fail("signature_mismatch", subject);
    const signed = request.url + fields;
    if (bodyHash.found === "none") return { signed };
    const isSame = bodyHash.value.toLowerCase() === hashOf(request.body);
    return isSame ? { signed } : fail("body_mismatch", "the query parameter bodySHA256");
  }),
  sign: ({ secret, body, url }) => {
    const isForm = !Buffer.from(body).subarray(0, 1).equals(Buffer.from("{"));
    const called = isForm
      ? url
      : `${url}${url.includes("?") ? "&" : "?"}bodySHA256=${hashOf(body)}`;
    const fields = isForm
      ? (new RequestView(requestForSigning(body, url)).readSortedForm() ?? "")
      : "";
    return {
      headers: {
        "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json",
        [header]: computeHmac("sha1", secret, called + fields).toString("base64"),
      },
      body,
      url: called,
    };
  },
};

function hashOf(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}

export const twilio: Provider = {
  id: "twilio",
  name: "Twilio",
  scheme,
  eventId: [
    inHeader("i-twilio-idempotency-token"),
    { ...byContent, withinSeconds: 60 },
    // A GET has no body. Its signature covers the URL with all fields, and has no time in it.
    { ...inHeader(header), withinSeconds: 60 },
  ],
  identity: {
    why:
      "Twilio sends a token with each request and keeps it when it tries again. " +
      "Without it a call may ask twice with equal fields, so they count for a " +
      "minute only, as does the signature of a GET, which covers them.",
    source: "https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides",
  },
  replay: { isOn: false, why: "URL and form hold neither a time nor an id of the event" },
  eventType: [
    inBody("MessageStatus"),
    inBody("CallStatus"),
    inBody("EventType"),
    inBody("SmsStatus"),
  ],
  secretHelp: "The account's primary Auth Token. Not an API key.",
  whereToPaste:
    "Console → the number, service or app: paste the catch URL exactly as " +
    "shown here, with HTTP POST; Account Info shows the Auth Token.",
  docsUrl: "https://www.twilio.com/docs/usage/webhooks/webhooks-security",
  proof: { package: "twilio", examples: 4, describedBy: "provider" },
  response: { contentType: "text/xml", body: "<Response/>" },
  listing: { group: "used", place: 5 },
  marks: { userAgent: /^TwilioProxy\// },
};
