import { readMultipart } from "#lib/core/payload/multipart.ts";
import { computeHmac, hasMac, readMac, toKeys } from "../code-mac.ts";
import type { CodeScheme } from "../code-scheme.ts";
import { fail } from "../failure.ts";
import type { Provider } from "../provider.ts";
import { parseJsonObject, type Reading, readHeader, repeated, type VerifyRequest } from "../request-view.ts";
import { byContent, inBody } from "./shapes.ts";

const subject = "the field event.event_hash of the form field json";

type Event = { readonly time: string; readonly type: string; readonly hash: unknown };

/** The event in the form field `json`. Time and type have forms that can't run into each other. */
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
  const fields = readMultipart(body, contentType.value)?.filter(({ name }) => name === "json") ?? [];
  const [field] = fields;
  if (fields.length > 1) return repeated;
  return field === undefined ? none : { found: "one", value: field.text };
}

/** Time and type of the event are signed and nothing else. It answers to the exact text "Hello API Event Received". */
const scheme: CodeScheme = {
  kind: "code",
  proof: "HMAC-SHA256, hex, of `{event_time}{event_type}` in event_hash, all inside the form field json",
  bodyNotSigned: true,
  takesSecret: true,
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
      const reading =
        typeof hash === "string" && hash !== "" ? ({ found: "one", value: hash } as const) : none;
      const signature = readMac(reading, subject, "sha256", "hex");
      if ("reason" in signature) return signature;
      const isSigned = hasMac("sha256", keys, [event.time + event.type], [signature]);
      return isSigned ? null : fail("signature_mismatch", subject);
    };
  },
  sign: ({ secret, body, url, timestampMs }) => {
    const time = String(Math.floor(timestampMs / 1000));
    const sent = parseJsonObject(body) ?? {};
    const given = typeof sent.event === "object" ? (sent.event as Record<string, unknown>) : {};
    const type = typeof given.event_type === "string" ? given.event_type : "callback_test";
    const hash = computeHmac("sha256", secret, time + type).toString("hex");
    const event = { ...given, event_time: time, event_type: type, event_hash: hash };
    const boundary = "----------------------------sample";
    const part = `--${boundary}\r\nContent-Disposition: form-data; name="json"\r\n\r\n${JSON.stringify({ ...sent, event })}\r\n--${boundary}--\r\n`;
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
  // `event_hash` is made of the second and the type: two events may share it.
  eventId: [byContent],
  eventType: [inBody("json.event.event_type")],
  secretHelp: "The API key of the account; for an app's callbacks too.",
  whereToPaste:
    "Settings → API: paste the catch URL as Account callback, or as Event callback of your API app; API keys are on the same page.",
  docsUrl: "https://developers.hellosign.com/docs/events/walkthrough/",
  answerWithinSeconds: 30,
  answer: { body: "Hello API Event Received" },
};
