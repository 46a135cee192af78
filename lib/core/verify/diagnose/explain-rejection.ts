/** Explains rejections unrelated to signatures, in more detail than the provider's response. */
import type { Finding } from "./diagnosis.ts";
import type { DiagnosisInput } from "./diagnosis-input.ts";
import { withFix } from "./hypothesis.ts";

export function explainRejection(input: DiagnosisInput): Finding {
  switch (input.reason) {
    case "invalid_json":
      return toFinding("invalid_json", explainJson(input));
    case "body_too_large":
      return toFinding(
        "body_too_large",
        "The body exceeded this server's limit, so it wasn't stored. Send " +
          "smaller deliveries, or raise CATCHMENT_MAX_BODY_BYTES.",
      );
    case "method_not_allowed":
      return explainMethod(input);
    default:
      return toFinding(
        "refused_otherwise",
        "The delivery was rejected before its signature was checked. Its stored reason says why.",
      );
  }
}

function toFinding(code: Finding["code"], sentence: string): Finding {
  return { code, sentence, confidence: "certain", fix: null };
}

function explainMethod({ request: { method }, hook: { methods } }: DiagnosisInput): Finding {
  const shown = /^[A-Z]{1,16}$/.test(method) ? method : "another method";
  const allowed = methods.join(", ");
  if (methods.includes(method)) {
    return toFinding(
      "method_not_allowed",
      `The hook now accepts ${shown}. Resend the delivery from the provider.`,
    );
  }
  const sentence = `The delivery used ${shown}, but the hook only accepts ${allowed}.`;
  if (!["GET", "PUT", "PATCH", "DELETE", "POST"].includes(method)) {
    return toFinding("method_not_allowed", `${sentence} Configure the provider to use POST.`);
  }
  const look = method === "GET" ? " If you opened the catch URL in a browser, ignore this." : "";
  return {
    ...toFinding(
      "method_not_allowed",
      `${sentence} Configure the provider to use POST, or allow ${shown}.${look}`,
    ),
    fix: withFix(
      { kind: "allow_method", method },
      `Allow ${shown}`,
      `The hook will accept ${shown} in addition to ${allowed}.`,
    ),
  };
}

const wrongJson = "The Content-Type is JSON, but the body isn't valid JSON.";

/** Recognizes common mistakes by the first and last bytes. */
function explainJson({ request: { body } }: DiagnosisInput): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const start = bytes.subarray(0, 4096).toString("utf8");
  const isUtf16 =
    (bytes[0] === 0xff && bytes[1] === 0xfe) ||
    (bytes[0] === 0xfe && bytes[1] === 0xff) ||
    start.startsWith("{\u0000");
  if (bytes.length === 0) return `${wrongJson} It is empty: send {} or remove the Content-Type.`;
  if (isUtf16) return `${wrongJson} It is UTF-16: send UTF-8, which JSON requires.`;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    return `${wrongJson} It is compressed with gzip: add Content-Encoding: gzip.`;
  if (/^\s*</.test(start))
    return `${wrongJson} It looks like XML or HTML: send the matching Content-Type.`;
  if (/^[\w.%+[\]-]+=[^{]*(?:&|$)/.test(start))
    return `${wrongJson} It is a form (name=value): send the Content-Type application/x-www-form-urlencoded.`;
  if (/^\s*[{[]\s*'|^\s*\{\s*[A-Za-z_$]/.test(start))
    return `${wrongJson} Its names have single quotes or none, like a printed object: serialize it as JSON.`;
  if (/\bNaN\b|\bInfinity\b/.test(start))
    return `${wrongJson} It contains NaN or Infinity, which JSON doesn't support: send null.`;
  if (/,\s*[}\]]/.test(start)) return `${wrongJson} It has a trailing comma: remove it.`;
  if (/^\s*[{[]/.test(start) && !/[}\]]\s*$/.test(bytes.subarray(-64).toString("utf8")))
    return `${wrongJson} It is truncated. Compare its size with what the provider sent.`;
  return `${wrongJson} Send valid JSON, or the matching Content-Type.`;
}
