/** What a delivery says about its own body: whether it arrived as it was sent. */
import { hash } from "node:crypto";
import type { Finding } from "./diagnosis.ts";
import type { Patient } from "./patient.ts";

export function findBodyClues({ request }: Patient): readonly Finding[] {
  const { headers, body } = request;
  const clues: Finding[] = [];
  const digest = compareDigest(headers, body);
  if (digest !== null) {
    const sentence = digest.isSame
      ? `The body arrived as it was sent: its header ${digest.header} fits it. So the body is not the reason; look at the secret and the scheme.`
      : `The body was changed on its way: its header ${digest.header}, which the sender made over it, does not fit it any more. Let whatever stands between pass the body on byte by byte.`;
    clues.push({
      code: "body_changed",
      sentence,
      confidence: digest.isSame ? "possible" : "likely",
      fix: null,
    });
  }
  const encoding = headers["content-encoding"]?.[0]?.trim().toLowerCase();
  if (encoding === "gzip" && !(body[0] === 0x1f && body[1] === 0x8b)) {
    const sentence =
      "The delivery says that it is compressed (Content-Encoding: gzip) and is not: a proxy has unpacked it and left the header. If the sender signs what it compressed, the signature can't fit. Let the proxy pass the body on as it is.";
    clues.push({ code: "body_compression", sentence, confidence: "likely", fix: null });
  }
  if (body.byteLength === 0) {
    const sentence =
      "The body is empty. If the sender has sent one, something on the way has dropped it, such as a redirect that turns POST into GET.";
    clues.push({ code: "body_missing", sentence, confidence: "possible", fix: null });
  }
  return clues;
}

type Comparison = { readonly header: string; readonly isSame: boolean };

/** RFC 1864 (Content-MD5), RFC 3230 (Digest) and RFC 9530 (Content-Digest). */
function compareDigest(headers: Patient["request"]["headers"], body: Uint8Array): Comparison | null {
  const md5 = headers["content-md5"]?.[0];
  if (md5 !== undefined) return { header: "Content-MD5", isSame: md5 === hash("md5", body, "base64") };
  for (const [name, header] of [
    ["content-digest", "Content-Digest"],
    ["digest", "Digest"],
  ] as const) {
    const found = /(?:^|[\s,])sha-256=:?([A-Za-z0-9+/]{43}=)/i.exec(headers[name]?.[0] ?? "")?.[1];
    if (found !== undefined) return { header, isSame: found === hash("sha256", body, "base64") };
  }
  return null;
}
