/** What can have become of the body between the sender, which signed its bytes, and us. */

import { hash } from "node:crypto";
import { brotliDecompressSync, deflateSync, gunzipSync, gzipSync, inflateSync } from "node:zlib";
import { parseForm } from "#lib/core/payload/parse-form.ts";
import {
  decodeUtf8,
  hasMark,
  isForm,
  isGzip,
  isSmall,
  isText,
  mark,
  normalize,
  parseSmall,
  readEnvelope,
  replaceLatin1,
  toLatin1,
  trimmedLength,
  unpack,
} from "./body-bytes.ts";
import type { FindingCode } from "./diagnosis.ts";
import { type Lever, once } from "./lever.ts";
import type { Patient } from "./patient.ts";
import { rewriteJson } from "./rewrite-json.ts";
import { bounds } from "./trial.ts";

type Change = {
  readonly code: FindingCode;
  readonly sentence: string;
  /** Null where this can't have happened. */
  readonly undo: (body: Buffer) => Uint8Array | null;
};

const between =
  "Let whatever stands between the sender and this server (a proxy, a gateway, a function that forwards) pass the body on byte by byte";

/** Simple changes, at the cost of one pass over the body each. */
export function listBodyLevers({ request }: Patient): readonly Lever[] {
  const body = Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength);
  return [...lineEnds, ...charsets, ...wrappings, ...forms, ...compressions].map((change) =>
    toLever(body, change),
  );
}

/**
 * The same JSON written otherwise, one at a time: they are many, and each is as large as the body. Null for one that came out as
 * another had, so that whoever runs through them can stop at each.
 */
export function* listRewritings({ request }: Patient): Generator<Lever | null> {
  const { body } = request;
  if (body.byteLength > bounds.rewrittenBytes) return;
  const text = decodeUtf8(body);
  if (text === null) return;
  const seen = new Set([text, `${text}\n`].map(digest));
  for (const { text: rewritten, words } of rewriteJson(text)) {
    if (seen.has(digest(rewritten))) {
      yield null;
      continue;
    }
    seen.add(digest(rewritten));
    yield rewritingLever(rewritten, words);
    yield rewritingLever(`${rewritten}\n`, `${words}, and a line break at its end`);
  }
}

/** Instead of the texts themselves, which together are a hundred times the body. */
function digest(text: string): string {
  return hash("sha256", text, "base64");
}

function rewritingLever(text: string, words: string): Lever {
  return {
    axis: "body",
    code: "body_rewritten",
    sentence: `The signature fits the same JSON written in another way: ${words}. So something between the sender and this server has read the body and written it anew. ${between}, without parsing it.`,
    fix: null,
    pull: (subject) => ({ ...subject, request: { ...subject.request, body: Buffer.from(text, "utf8") } }),
  };
}

function toLever(body: Buffer, { code, sentence, undo }: Change): Lever {
  const undone = once(() => undo(body));
  return {
    axis: "body",
    code,
    sentence,
    fix: null,
    pull: (subject) => {
      const bytes = undone();
      if (bytes === null || body.equals(bytes)) return null;
      return { ...subject, request: { ...subject.request, body: bytes } };
    },
  };
}

const lineEnds: readonly Change[] = [
  {
    code: "body_line_end",
    sentence: `The signature fits the body with a line break at its end: the sender signed one, and something on the way has cut it off. ${between}, without trimming it.`,
    undo: (body) => Buffer.concat([body, Buffer.from("\n")]),
  },
  {
    code: "body_line_end",
    sentence: `The signature fits the body without the white space at its end: something on the way has added a line break. ${between}.`,
    undo: (body) => body.subarray(0, trimmedLength(body)),
  },
  {
    code: "body_line_end",
    sentence: `The signature fits the body with CRLF at its end: the sender signed that, and something on the way has cut it off. ${between}, without trimming it.`,
    undo: (body) => Buffer.concat([body.subarray(0, trimmedLength(body)), Buffer.from("\r\n")]),
  },
  {
    code: "body_line_end",
    sentence: `The signature fits the body with LF instead of CRLF as its line breaks: something on the way has turned them into those of Windows. ${between}.`,
    undo: (body) => (body.includes("\r\n") ? replaceLatin1(body, /\r\n/g, "\n") : null),
  },
  {
    code: "body_line_end",
    sentence: `The signature fits the body with CRLF instead of LF as its line breaks: something on the way has turned them into those of Unix. ${between}.`,
    undo: (body) => (body.includes("\n") ? replaceLatin1(body, /\r?\n/g, "\r\n") : null),
  },
  {
    code: "body_missing",
    sentence:
      "The sender has signed an empty body and sent another. It computes the signature before the body is there, or over the wrong variable; that has to be mended at the sender.",
    undo: (body) => (body.length === 0 ? null : Buffer.alloc(0)),
  },
];

const charsets: readonly Change[] = [
  {
    code: "body_charset",
    sentence: `The signature fits the body without the byte-order mark in front: something on the way has added one. ${between}.`,
    undo: (body) => (hasMark(body) ? body.subarray(3) : null),
  },
  {
    code: "body_charset",
    sentence: `The signature fits the body with a byte-order mark in front: the sender signed one, and something on the way has cut it off. ${between}.`,
    undo: (body) => (hasMark(body) ? null : Buffer.concat([mark, body])),
  },
  {
    code: "body_charset",
    sentence: `The signature fits the body as UTF-8; what arrived is Latin-1. Something on the way has changed its character set. ${between}.`,
    undo: (body) =>
      isSmall(body) && decodeUtf8(body) === null ? Buffer.from(body.toString("latin1"), "utf8") : null,
  },
  {
    code: "body_charset",
    sentence: `The signature fits the body as Latin-1; what arrived is UTF-8. Something on the way has changed its character set. ${between}.`,
    undo: (body) => toLatin1(body),
  },
  {
    code: "body_charset",
    sentence: `The signature fits the body with its accents put together (Unicode NFC); what arrived has them taken apart. Something on the way has normalised it. ${between}.`,
    undo: (body) => normalize(body, "NFC"),
  },
  {
    code: "body_charset",
    sentence: `The signature fits the body with its accents taken apart (Unicode NFD); what arrived has them put together. Something on the way has normalised it. ${between}.`,
    undo: (body) => normalize(body, "NFD"),
  },
];

/** A text of these names inside a JSON envelope is what a queue or a function makes of the body it got. */
const envelopeFields = ["body", "rawBody", "raw_body", "payload", "Message", "message", "data", "content"];

const wrappings: readonly Change[] = [
  ...envelopeFields.map(
    (field): Change => ({
      code: "body_wrapped",
      sentence: `The signature fits the text inside the field "${field}" of what arrived: something on the way has put the body into an envelope. Let it pass on what is inside, and not the envelope.`,
      undo: (body) => readEnvelope(body, field),
    }),
  ),
  {
    code: "body_wrapped",
    sentence: `The signature fits what the body stands for as a JSON text: something on the way has put the whole body into quotation marks (it was serialised twice). ${between}.`,
    undo: (body) => {
      const value = body[0] === 0x22 ? parseSmall(body) : undefined;
      return typeof value === "string" ? Buffer.from(value, "utf8") : null;
    },
  },
];

const forms: readonly Change[] = [
  {
    code: "body_form",
    sentence:
      "The sender has signed the JSON inside the form field payload, and not the form. Choose application/json as the content type at the sender.",
    undo: (body) => {
      const payload = isForm(body) ? parseForm(body.toString("utf8"))?.get("payload") : undefined;
      return payload === undefined || payload === null ? null : Buffer.from(payload, "utf8");
    },
  },
  {
    code: "body_form",
    sentence: `The signature fits the same form with spaces as "%20" instead of "+": something on the way has encoded it anew. ${between}.`,
    undo: (body) => (isForm(body) ? replaceLatin1(body, /\+/g, "%20") : null),
  },
  {
    code: "body_form",
    sentence: `The signature fits the same form with spaces as "+" instead of "%20": something on the way has encoded it anew. ${between}.`,
    undo: (body) => (isForm(body) ? replaceLatin1(body, /%20/g, "+") : null),
  },
  {
    code: "body_form",
    sentence: `The signature fits the same form encoded in the usual way: something on the way has encoded it anew. ${between}.`,
    undo: (body) => {
      const form = isForm(body) ? parseForm(body.toString("utf8")) : null;
      return form === null ? null : Buffer.from(form.toString(), "latin1");
    },
  },
];

const packed = `The signature fits the body before it was compressed: something on the way compresses it. Switch that off; ${between.charAt(0).toLowerCase()}${between.slice(1)}.`;
const unpacked = `The signature fits the compressed body: the sender signs what it compressed, and something on the way has unpacked it. ${between}, without unpacking it.`;

const compressions: readonly Change[] = [
  {
    code: "body_compression",
    sentence: packed,
    undo: (body) => (isGzip(body) ? unpack(gunzipSync, body) : null),
  },
  {
    code: "body_compression",
    sentence: packed,
    undo: (body) => (body[0] === 0x78 ? unpack(inflateSync, body) : null),
  },
  {
    code: "body_compression",
    sentence: packed,
    undo: (body) => (isSmall(body) && !isText(body) ? unpack(brotliDecompressSync, body) : null),
  },
  // Only with the settings that nearly everybody leaves alone: how a stranger packed it is not known.
  {
    code: "body_compression",
    sentence: unpacked,
    undo: (body) => (isSmall(body) && isText(body) ? gzipSync(body) : null),
  },
  {
    code: "body_compression",
    sentence: unpacked,
    undo: (body) => (isSmall(body) && isText(body) ? deflateSync(body) : null),
  },
];
