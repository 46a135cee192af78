/** Refusals that have nothing to do with a signature: what was wrong, closer than the sender was told. */
import { verifyFailureReasons } from "#lib/core/verify/failure.ts";
import type { Finding } from "./diagnosis.ts";
import { withFix } from "./lever.ts";
import type { Patient } from "./patient.ts";

/** Whether the stored reason is about the signature. */
export function isVerificationFailure(reason: string | null): boolean {
  return (verifyFailureReasons as readonly (string | null)[]).includes(reason);
}

export function explainRefusal(patient: Patient): Finding {
  switch (patient.reason) {
    case "invalid_json":
      return toFinding("invalid_json", explainJson(patient));
    case "body_too_large":
      return toFinding(
        "body_too_large",
        "The body was larger than this server takes, so nothing of it was kept. Let the sender send less in one delivery, or raise CATCHMENT_MAX_BODY_BYTES.",
      );
    case "method_not_allowed":
      return explainMethod(patient);
    default:
      return toFinding(
        "refused_otherwise",
        "It was refused before a signature was looked at. The reason that is stored with the delivery says why.",
      );
  }
}

function toFinding(code: Finding["code"], sentence: string): Finding {
  return { code, sentence, confidence: "certain", fix: null };
}

function explainMethod({ request: { method }, hook: { methods } }: Patient): Finding {
  const shown = /^[A-Z]{1,16}$/.test(method) ? method : "another method";
  const allowed = methods.join(", ");
  if (methods.includes(method)) {
    return toFinding(
      "method_not_allowed",
      `It came with ${shown}, which the hook takes by now. Let the sender send it again.`,
    );
  }
  const sentence = `It came with ${shown}, and the hook takes ${allowed} only.`;
  if (!["GET", "PUT", "PATCH", "DELETE", "POST"].includes(method)) {
    return toFinding("method_not_allowed", `${sentence} Let the sender use POST.`);
  }
  const look =
    method === "GET"
      ? " Someone may have opened the catch URL in a browser; then nothing has to be done."
      : "";
  return {
    ...toFinding("method_not_allowed", `${sentence} Let the sender use POST, or allow ${shown}.${look}`),
    fix: withFix(
      { kind: "allow_method", method },
      `Allow ${shown}`,
      `The hook takes ${shown} from now on, beside ${allowed}.`,
    ),
  };
}

const wrongJson = "The Content-Type says JSON, and the body is not.";

/** From the first bytes and the last: what people send in place of JSON. */
function explainJson({ request: { body } }: Patient): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const start = bytes.subarray(0, 4096).toString("utf8");
  const isUtf16 =
    (bytes[0] === 0xff && bytes[1] === 0xfe) ||
    (bytes[0] === 0xfe && bytes[1] === 0xff) ||
    start.startsWith("{\u0000");
  if (bytes.length === 0)
    return `${wrongJson} It is empty: let the sender send {} or leave the Content-Type out.`;
  if (isUtf16) return `${wrongJson} It is UTF-16: let the sender write UTF-8, which JSON has to be.`;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    return `${wrongJson} It is compressed (gzip) and does not say so: let the sender add Content-Encoding: gzip.`;
  if (/^\s*</.test(start))
    return `${wrongJson} It begins like XML or HTML: let the sender send the Content-Type that fits.`;
  if (/^[\w.%+[\]-]+=[^{]*(?:&|$)/.test(start))
    return `${wrongJson} It is a form (name=value): let the sender send application/x-www-form-urlencoded as its Content-Type.`;
  if (/^\s*[{[]\s*'|^\s*\{\s*[A-Za-z_$]/.test(start))
    return `${wrongJson} Its names stand in single quotes or none: it is the text of an object and not JSON. Let the sender serialise it.`;
  if (/\bNaN\b|\bInfinity\b/.test(start))
    return `${wrongJson} It holds NaN or Infinity, which JSON does not have: let the sender send null.`;
  if (/,\s*[}\]]/.test(start))
    return `${wrongJson} It has a comma behind the last value: let the sender leave it out.`;
  if (/^\s*[{[]/.test(start) && !/[}\]]\s*$/.test(bytes.subarray(-64).toString("utf8")))
    return `${wrongJson} It ends in the middle: something has cut it off. Compare its size with what the sender has sent.`;
  return `${wrongJson} Let the sender send valid JSON, or the Content-Type that fits.`;
}
