import { readMultipart } from "#lib/core/mapping/payload/multipart.ts";
import { computeHmac, decodeMac, hasMac, toKeys } from "#lib/core/verify/scheme/code-mac.ts";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { fail } from "#lib/core/verify/scheme/failure.ts";
import {
  parseJsonObject,
  type Reading,
  readHeader,
  repeated,
  type VerifyRequest,
} from "#lib/core/verify/scheme/request-view.ts";
import { allOf, byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const subject = "the field event.event_hash of the form field json";

type Event = { readonly time: string; readonly type: string; readonly hash: unknown };

/** The event in the form field `json`. Time and type can't run into each other. */
function readEvent(field: Reading): Event | null {
  if (field.found !== "one") return null;
  const event = parseJsonObject(Buffer.from(field.value, "utf8"))?.event;
  if (typeof event !== "object" || event === null) return null;
  const { event_time: time, event_type: type, event_hash: hash } = event as Record<string, unknown>;
  const isWellFormed =
    typeof time === "string" &&
    /^\d{1,12}$/.test(time) &&
    typeof type === "string" &&
    /^[a-z][a-z_]{0,63}$/.test(type);
  return isWellFormed ? { time, type, hash } : null;
}

function readField({ headers, body }: VerifyRequest): Reading {
  const contentType = readHeader(headers, "content-type");
  if (contentType.found !== "one") return contentType;
  const fields =
    readMultipart(body, contentType.value)?.filter(({ name }) => name === "json") ?? [];
  const [field] = fields;
  if (fields.length > 1) return repeated;
  return field === undefined ? none : { found: "one", value: field.text };
}

/**
 * Only time and type of the event are signed. It expects the exact text "Hello API Event Received".
 */
const scheme: CodeScheme = {
  kind: "code",
  proof:
    "HMAC-SHA256, hex, of `{event_time}{event_type}` in event_hash, all inside the form field json",
  bodyNotSigned: true,
  takesSecret: true,
  proofHeaders: [],
  findSecretProblem: () => null,
  prepare: ({ secrets }) => {
    const keys = toKeys(secrets);
    if (keys === null) return null;
    return (request) => {
      const field = readField(request);
      if (field.found === "none") return fail("signature_missing", "the form field json");
      if (field.found === "many") return fail("header_repeated", "the form field json");
      const event = readEvent(field);
      if (event === null) return fail("signature_malformed", "the form field json");
      const { hash } = event;
      if (typeof hash !== "string" || hash === "") return fail("signature_missing", subject);
      const signature = decodeMac(hash, "sha256", "hex");
      if (signature === null) return fail("signature_malformed", subject);
      const signed = event.time + event.type;
      return hasMac("sha256", keys, [signed], [signature])
        ? { signed }
        : fail("signature_mismatch", subject);
    };
  },
  sign: ({ secret, body, url, timestampMs }) => {
    const sent = parseJsonObject(body) ?? {};
    const given = typeof sent.event === "object" ? (sent.event as Record<string, unknown>) : {};
    const time =
      typeof given.event_time === "string"
        ? given.event_time
        : String(Math.floor(timestampMs / 1000));
    const type = typeof given.event_type === "string" ? given.event_type : "callback_test";
    const hash = computeHmac("sha256", secret, time + type).toString("hex");
    const event = { ...given, event_time: time, event_type: type, event_hash: hash };
    const boundary = "----------------------------sample";
    const part =
      `--${boundary}\r\nContent-Disposition: form-data; ` +
      `name="json"\r\n\r\n${JSON.stringify({ ...sent, event })}\r\n--${boundary}--\r\n`;
    return {
      headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
      body: Buffer.from(part),
      url,
    };
  },
};

const none = { found: "none" } as const;

export const dropboxSign: Provider = {
  id: "dropbox-sign",
  name: "Dropbox Sign (HelloSign)",
  scheme,
  eventId: [
    allOf(
      inBody("json.event.event_hash"),
      inBody("json.signature_request.signature_request_id"),
      inBody("json.event.event_metadata.related_signature_id"),
    ),
    allOf(inBody("json.event.event_hash"), inBody("json.signature_request.signature_request_id")),
    byContent,
  ],
  identity: {
    why: "event_hash only covers type and second, so the signature request and the signature count too.",
    source: "npm @dropbox/sign",
  },
  replay: { isOn: false, why: "two events of one type in the same second are signed alike" },
  eventType: [inBody("json.event.event_type")],
  secretHelp: "The API key of the account; for an app's callbacks too.",
  whereToPaste:
    "Settings → API: paste the catch URL as Account callback, or as Event " +
    "callback of your API app; API keys are on the same page.",
  docsUrl: "https://developers.hellosign.com/docs/events/walkthrough/",
  proof: { package: "@dropbox/sign", describedBy: "provider" },
  respondWithinSeconds: 30,
  response: { body: "Hello API Event Received" },
};
