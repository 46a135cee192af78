import { hash, timingSafeEqual } from "node:crypto";
import { readPayload } from "#lib/core/mapping/payload/read-payload.ts";
import { readPath } from "#lib/core/verify/dedupe/body-path.ts";
import { decodeMac } from "#lib/core/verify/scheme/code-mac.ts";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { decodeCanonical } from "#lib/core/verify/scheme/encoding.ts";
import { fail, type VerifyFailure } from "#lib/core/verify/scheme/failure.ts";
import { RequestView, type VerifyRequest } from "#lib/core/verify/scheme/request-view.ts";
import { checkAge, parseTimestamp } from "#lib/core/verify/scheme/timestamp.ts";
import { challenge } from "./shapes/handshakes.ts";
import { byContent, inBody, inQuery } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const docsUrl = "https://developers.weixin.qq.com/doc/subscription/guide/dev/push/encryption.html";

const window = { pastSeconds: 300, futureSeconds: 300 } as const;

/** Encrypted messages are a few kilobytes. The body isn't verified yet. */
const maxEncryptedBytes = 256 * 1024;

/** Sorted and joined without separators, as WeChat does. */
function toDigest(...parts: readonly string[]): Buffer {
  return hash("sha1", parts.toSorted().join(""), "buffer");
}

/**
 * In plain mode, token, time, and nonce are signed, but not the body. In the other modes, WeChat's
 * page says to check `msg_signature` instead, which covers the encrypted part of the body.
 */
const scheme: CodeScheme = {
  kind: "code",
  proof:
    "SHA1, hex, of token, timestamp and nonce, sorted, in the query parameter signature; with " +
    "encrypt_type=aes also of Encrypt, in msg_signature",
  window,
  bodyNotSigned: true,
  takesSecret: true,
  proofHeaders: [],
  findSecretProblem: () => null,
  prepare:
    ({ secrets, toleranceSeconds }) =>
    (request, nowMs) => {
      const read = readSignature(request);
      if ("reason" in read) return read;
      const { signature, subject, time, nonce, sentMs, signed } = read;
      const matches = secrets.map((secret) =>
        timingSafeEqual(toDigest(secret, ...signed), signature),
      );
      if (!matches.includes(true)) return fail("signature_mismatch", subject);
      const age = checkAge(sentMs, nowMs, window, toleranceSeconds, timeSubject);
      return age ?? { signed: [time, nonce].join("\n") };
    },
  sign: ({ secret, body, url, id, timestampMs }) => {
    const time = String(Math.floor(timestampMs / 1000));
    const query = new URLSearchParams({
      signature: toDigest(secret, time, id).toString("hex"),
      timestamp: time,
      nonce: id,
      openid: "oEXAMPLE0000000000000000user",
    });
    return { headers: {}, body, url: `${url}${url.includes("?") ? "&" : "?"}${query}` };
  },
};

const timeSubject = "the query parameter timestamp";

type Signature = {
  readonly signature: Buffer;
  readonly subject: string;
  readonly time: string;
  readonly sentMs: number;
  readonly nonce: string;
  /** Time and nonce, and what is encrypted. */
  readonly signed: readonly string[];
};

function readSignature(request: VerifyRequest): Signature | VerifyFailure {
  const view = new RequestView(request);
  const read = (name: string) => view.read(inQuery(name), null);
  const mode = read("encrypt_type");
  const isEncrypted = mode.found === "one" && mode.value === "aes";
  const name = isEncrypted ? "msg_signature" : "signature";
  const subject = `the query parameter ${name}`;
  const [proof, time, nonce] = [read(name), read("timestamp"), read("nonce")];
  if (proof.found === "none") return fail("signature_missing", subject);
  if (proof.found === "many") return fail("header_repeated", subject);
  if (time.found === "none") return fail("timestamp_missing", timeSubject);
  if (time.found === "many") return fail("header_repeated", timeSubject);
  if (nonce.found === "none") return fail("value_missing", "the query parameter nonce");
  if (nonce.found === "many") return fail("header_repeated", "the query parameter nonce");
  const signature = decodeMac(proof.value, "sha1", "hex");
  if (signature === null) return fail("signature_malformed", subject);
  const sentMs = parseTimestamp(time.value, "s");
  if (sentMs === null) return fail("timestamp_malformed", timeSubject);
  if (!/^[\w-]{1,32}$/.test(nonce.value))
    return fail("value_malformed", "the query parameter nonce");
  const known = { signature, subject, time: time.value, nonce: nonce.value, sentMs };
  if (!isEncrypted) return { ...known, signed: [time.value, nonce.value] };
  const encrypted = readEncrypted(request.body);
  if (encrypted === null) return fail("value_missing", encryptedSubject);
  return isCiphertext(encrypted)
    ? { ...known, signed: [time.value, nonce.value, encrypted] }
    : fail("value_malformed", encryptedSubject);
}

const encryptedSubject = "the body field Encrypt";

/** The body is XML or JSON, as the account is set. */
function readEncrypted(body: Uint8Array): string | null {
  if (body.byteLength > maxEncryptedBytes) return null;
  const payload = readPayload(body, null);
  if (payload.kind !== "json") return null;
  const value = readPath(payload.value, "xml.Encrypt") ?? readPath(payload.value, "Encrypt");
  return typeof value === "string" && value !== "" ? value : null;
}

/**
 * Blocks of 32 bytes, at least two. Nothing separates what is signed: otherwise a part of the nonce
 * could be sent as Encrypt under the signature of a plain message, and count as another request.
 */
function isCiphertext(text: string): boolean {
  const bytes = decodeCanonical(text, "base64");
  return bytes !== null && bytes.length >= 64 && bytes.length % 32 === 0;
}

export const wechat: Provider = {
  id: "wechat",
  name: "WeChat (Official Accounts, Mini Programs)",
  scheme,
  eventId: [inBody("xml.MsgId"), inBody("MsgId"), byContent],
  identity: {
    why:
      "Each message has a MsgId. Events have none: sender, time, and what happened are in the body. If " +
      "the body is encrypted, a retry may be another event.",
    source:
      "https://developers.weixin.qq.com/doc/subscription/guide/product/message/Receiving_standard_messages.html",
  },
  replay: { isOn: true, why: "the time and a nonce are signed" },
  eventType: [inBody("xml.Event"), inBody("Event"), inBody("xml.MsgType"), inBody("MsgType")],
  secretHelp:
    "The Token that you make up for the account: 32 random letters and digits, since a short one can be " +
    "guessed from a request. Not the AppSecret and not the EncodingAESKey.",
  whereToPaste:
    "WeChat developer platform → the account → message and event push: paste the catch URL, fill in the Token " +
    "of this hook, and choose plain text mode (明文模式). Encrypted messages are verified, but hooks can't decrypt " +
    "them: the payload is ToUserName and Encrypt. In plain text mode the signature doesn't cover the body.",
  docsUrl,
  proof: { examples: 2, describedBy: "provider" },
  handshakes: [
    {
      name: "URL verification",
      methods: ["GET"],
      when: [inQuery("echostr"), inQuery("signature")],
      proof: "signature",
      reply: {
        kind: "respond",
        challenge: inQuery("echostr"),
        body: { type: "text", text: [challenge] },
      },
    },
  ],
  /** Other text is shown to the user as an error of the account. */
  response: { body: "success" },
  respondWithinSeconds: 5,
  marks: {
    body: ["xml.ToUserName", "ToUserName"].map((path) => ({
      path,
      is: /^gh_[0-9a-f]{12}$/,
      why: "its body is for an account of WeChat",
      isSure: true as const,
    })),
  },
};
