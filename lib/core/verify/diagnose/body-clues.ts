/** Clues in the delivery itself that its body changed on the way. */
import { hash } from "node:crypto";
import type { Finding } from "./diagnosis.ts";
import type { DiagnosisInput } from "./diagnosis-input.ts";

export function findBodyClues({ request }: DiagnosisInput): readonly Finding[] {
  const { headers, body } = request;
  const clues: Finding[] = [];
  const digest = compareDigest(headers, body);
  if (digest !== null) {
    const sentence = digest.isSame
      ? `The body is unchanged: it matches its ${digest.header} header. Check the secret and the scheme instead.`
      : `The body was changed on the way: it no longer matches its ${digest.header} header. ` +
        "Configure the proxy, gateway, or function in between to forward the body unchanged.";
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
      "The delivery has Content-Encoding: gzip, but its body isn't compressed: a proxy " +
      "decompressed it and left the header. If the provider signs the compressed body, the " +
      "signature can't match. Configure the proxy to forward the body unchanged.";
    clues.push({ code: "body_compression", sentence, confidence: "likely", fix: null });
  }
  if (body.byteLength === 0) {
    const sentence =
      "The body is empty. If the provider sent one, it was dropped on the " +
      "way, for example by a redirect that turns POST into GET.";
    clues.push({ code: "body_missing", sentence, confidence: "possible", fix: null });
  }
  return clues;
}

type Comparison = { readonly header: string; readonly isSame: boolean };

/** RFC 1864 (Content-MD5), RFC 3230 (Digest), and RFC 9530 (Content-Digest). */
function compareDigest(
  headers: DiagnosisInput["request"]["headers"],
  body: Uint8Array,
): Comparison | null {
  const md5 = headers["content-md5"]?.[0];
  if (md5 !== undefined)
    return { header: "Content-MD5", isSame: md5 === hash("md5", body, "base64") };
  for (const [name, header] of [
    ["content-digest", "Content-Digest"],
    ["digest", "Digest"],
  ] as const) {
    const found = /(?:^|[\s,])sha-256=:?([A-Za-z0-9+/]{43}=)/i.exec(headers[name]?.[0] ?? "")?.[1];
    if (found !== undefined) return { header, isSame: found === hash("sha256", body, "base64") };
  }
  return null;
}
