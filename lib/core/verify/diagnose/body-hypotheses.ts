import { once } from "#lib/base/once.ts";
import { isGzip } from "#lib/core/mapping/payload/read-by-bytes.ts";
/** The ways in which a body can change between the provider, which signs its bytes, and us. */

import { hash } from "node:crypto";
import { brotliDecompressSync, deflateSync, gunzipSync, gzipSync, inflateSync } from "node:zlib";
import { parseForm } from "#lib/core/mapping/payload/parse-form.ts";
import {
  decodeUtf8,
  hasMark,
  isForm,
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
import type { DiagnosisInput } from "./diagnosis-input.ts";
import type { Hypothesis } from "./hypothesis.ts";
import { rewriteJson } from "./rewriting/rewrite-json.ts";
import { limits } from "./verification-budget.ts";

type Change = {
  readonly code: FindingCode;
  readonly sentence: string;
  /** Null if this can't have happened. */
  readonly undo: (body: Buffer) => Uint8Array | null;
};

const between =
  "Configure the proxy, gateway, or function in between to forward the body unchanged";

/** Simple changes. Each costs one pass over the body. */
export function listBodyHypotheses({ request }: DiagnosisInput): readonly Hypothesis[] {
  const body = Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength);
  return [...lineEnds, ...charsets, ...wrappings, ...forms, ...compressions].map((change) =>
    toHypothesis(body, change),
  );
}

/**
 * Other ways to write the same JSON, one at a time: there are many, each as large as the body.
 * Yields null for duplicates, so that the caller can pause at each step.
 */
export function* listRewritings({ request }: DiagnosisInput): Generator<Hypothesis | null> {
  const { body } = request;
  if (body.byteLength > limits.maxRewrittenBytes) return;
  const text = decodeUtf8(body);
  if (text === null) return;
  const seen = new Set([text, `${text}\n`].map(digest));
  for (const { text: rewritten, words } of rewriteJson(text)) {
    if (seen.has(digest(rewritten))) {
      yield null;
      continue;
    }
    seen.add(digest(rewritten));
    yield rewritingHypothesis(rewritten, words);
    yield rewritingHypothesis(`${rewritten}\n`, `${words}, and a line break at the end`);
  }
}

/** Keeps digests instead of the texts, which together are a hundred times as large as the body. */
function digest(text: string): string {
  return hash("sha256", text, "base64");
}

function rewritingHypothesis(text: string, words: string): Hypothesis {
  return {
    axis: "body",
    code: "body_rewritten",
    sentence:
      `The signature matches the same JSON formatted differently: ${words}. The JSON was ` +
      `parsed and written again on the way. ${between}, without parsing it.`,
    fix: null,
    apply: (attempt) => ({
      ...attempt,
      request: { ...attempt.request, body: Buffer.from(text, "utf8") },
    }),
  };
}

function toHypothesis(body: Buffer, { code, sentence, undo }: Change): Hypothesis {
  const undone = once(() => undo(body));
  return {
    axis: "body",
    code,
    sentence,
    fix: null,
    apply: (attempt) => {
      const bytes = undone();
      if (bytes === null || body.equals(bytes)) return null;
      return { ...attempt, request: { ...attempt.request, body: bytes } };
    },
  };
}

const lineEnds: readonly Change[] = [
  {
    code: "body_line_end",
    sentence:
      "The signature matches the body with a line break at the end, which " +
      `was removed on the way. ${between}, without trimming it.`,
    undo: (body) => Buffer.concat([body, Buffer.from("\n")]),
  },
  {
    code: "body_line_end",
    sentence:
      "The signature matches the body without the white space at " +
      `the end, which was added on the way. ${between}.`,
    undo: (body) => body.subarray(0, trimmedLength(body)),
  },
  {
    code: "body_line_end",
    sentence:
      "The signature matches the body with CRLF at the end, which was " +
      `removed on the way. ${between}, without trimming it.`,
    undo: (body) => Buffer.concat([body.subarray(0, trimmedLength(body)), Buffer.from("\r\n")]),
  },
  {
    code: "body_line_end",
    sentence:
      "The signature matches the body with LF line breaks instead of " +
      `CRLF: they were converted on the way. ${between}.`,
    undo: (body) => (body.includes("\r\n") ? replaceLatin1(body, /\r\n/g, "\n") : null),
  },
  {
    code: "body_line_end",
    sentence:
      "The signature matches the body with CRLF line breaks instead of " +
      `LF: they were converted on the way. ${between}.`,
    undo: (body) => (body.includes("\n") ? replaceLatin1(body, /\r?\n/g, "\r\n") : null),
  },
  {
    code: "body_missing",
    sentence:
      "The provider signed an empty body, but sent a different one. It computes the " +
      "signature too early, or over the wrong variable. Fix this at the provider.",
    undo: (body) => (body.length === 0 ? null : Buffer.alloc(0)),
  },
];

const charsets: readonly Change[] = [
  {
    code: "body_charset",
    sentence: `The signature matches the body without the byte-order mark, which was added on the way. ${between}.`,
    undo: (body) => (hasMark(body) ? body.subarray(3) : null),
  },
  {
    code: "body_charset",
    sentence: `The signature matches the body with a byte-order mark, which was removed on the way. ${between}.`,
    undo: (body) => (hasMark(body) ? null : Buffer.concat([mark, body])),
  },
  {
    code: "body_charset",
    sentence:
      "The signature matches the body in UTF-8, but it arrived in Latin-1: " +
      `its character set was changed on the way. ${between}.`,
    undo: (body) =>
      isSmall(body) && decodeUtf8(body) === null
        ? Buffer.from(body.toString("latin1"), "utf8")
        : null,
  },
  {
    code: "body_charset",
    sentence:
      "The signature matches the body in Latin-1, but it arrived in UTF-8: " +
      `its character set was changed on the way. ${between}.`,
    undo: (body) => toLatin1(body),
  },
  {
    code: "body_charset",
    sentence:
      "The signature matches the body with composed accents (Unicode NFC), but they " +
      `arrived decomposed: the text was normalized on the way. ${between}.`,
    undo: (body) => normalize(body, "NFC"),
  },
  {
    code: "body_charset",
    sentence:
      "The signature matches the body with decomposed accents (Unicode NFD), but they " +
      `arrived composed: the text was normalized on the way. ${between}.`,
    undo: (body) => normalize(body, "NFD"),
  },
];

/**
 * The fields in which queues and functions put the original body when they wrap it in a JSON
 * envelope.
 */
const envelopeFields = [
  "body",
  "rawBody",
  "raw_body",
  "payload",
  "Message",
  "message",
  "data",
  "content",
];

const wrappings: readonly Change[] = [
  ...envelopeFields.map(
    (field): Change => ({
      code: "body_wrapped",
      sentence:
        `The signature matches the text in the field "${field}": the body was wrapped in an ` +
        "envelope on the way. Forward the content of that field instead of the envelope.",
      undo: (body) => readEnvelope(body, field),
    }),
  ),
  {
    code: "body_wrapped",
    sentence:
      "The signature matches the body once it is decoded as a JSON " +
      `string: it was serialized twice on the way. ${between}.`,
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
      "The provider signed the JSON in the form field payload instead of the form. " +
      "Choose application/json as the content type at the provider.",
    undo: (body) => {
      const payload = isForm(body) ? parseForm(body.toString("utf8"))?.get("payload") : undefined;
      return payload === undefined || payload === null ? null : Buffer.from(payload, "utf8");
    },
  },
  {
    code: "body_form",
    sentence:
      'The signature matches the form with spaces as "%20" instead of ' +
      `"+": it was encoded again on the way. ${between}.`,
    undo: (body) => (isForm(body) ? replaceLatin1(body, /\+/g, "%20") : null),
  },
  {
    code: "body_form",
    sentence:
      'The signature matches the form with spaces as "+" instead of ' +
      `"%20": it was encoded again on the way. ${between}.`,
    undo: (body) => (isForm(body) ? replaceLatin1(body, /%20/g, "+") : null),
  },
  {
    code: "body_form",
    sentence: `The signature matches the form in its standard encoding: it was encoded again on the way. ${between}.`,
    undo: (body) => {
      const form = isForm(body) ? parseForm(body.toString("utf8")) : null;
      return form === null ? null : Buffer.from(form.toString(), "latin1");
    },
  },
];

const packed =
  "The signature matches the decompressed body: it was compressed " +
  `on the way. ${between}, without compressing it.`;
const unpacked =
  "The signature matches the compressed body: it was decompressed " +
  `on the way. ${between}, without decompressing it.`;

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
  // Default settings only: we can't know which ones the provider uses.
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
