import { createHash, createHmac, hash, timingSafeEqual } from "node:crypto";
import type { Handshake, Piece, Reply } from "./handshake.ts";
import { macChallengePattern } from "./mac-challenge.ts";
import { type HandshakeRequest, readField } from "./read-field.ts";

/** Values for the response that don't come from the request. */
type HandshakeValues = {
  readonly verifyToken: string;
  /** The URL as given to the provider, without a query. */
  readonly catchUrl: string;
  /** The hook's newest secret, decoded. Null: no usable secret. */
  readonly key: Uint8Array | null;
  /** The hook's settings, without the secret. */
  readonly settings?: Readonly<Record<string, string>>;
};

/** The only part that comes from the request is a validated challenge. */
export type HandshakeResponse = {
  readonly status: 200 | 204;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type HandshakeOutcome =
  | { readonly kind: "respond"; readonly response: HandshakeResponse }
  /** The secret must be stored first, because the response confirms it. */
  | { readonly kind: "keepSecret"; readonly secret: string; readonly response: HandshakeResponse }
  /** The URL must be requested first. */
  | { readonly kind: "confirmUrl"; readonly url: string; readonly response: HandshakeResponse }
  | { readonly kind: "rejected"; readonly reason: HandshakeRejection; readonly detail: string };

export type HandshakeRejection =
  | "challenge_malformed"
  | "verify_token_mismatch"
  | "secret_missing"
  | "setting_missing"
  | "secret_malformed"
  | "confirm_url_refused";

const empty: HandshakeResponse = { status: 200, headers: {}, body: "" };

/**
 * Builds the response to a request that `findHandshake` matched. Signed handshakes are already
 * verified.
 */
export function buildHandshakeResponse(
  { proof, reply }: Handshake,
  request: HandshakeRequest,
  knowledge: HandshakeValues,
): HandshakeOutcome {
  if (typeof proof === "object") {
    const token = readField(proof.verifyToken, request);
    if (token === null || !isSame(token, knowledge.verifyToken))
      return reject("verify_token_mismatch");
  }
  switch (reply.kind) {
    case "respond":
      return respond(reply, request, knowledge);
    case "keepSecret": {
      const secret = readField(reply.secret, request);
      if (secret === null || !secretPattern.test(secret)) return reject("secret_malformed");
      const headers = reply.echoHeader === undefined ? {} : { [reply.echoHeader]: secret };
      return { kind: "keepSecret", secret, response: { ...empty, headers } };
    }
    case "confirmUrl": {
      const url = readField(reply.url, request);
      if (url === null || !urlPattern.test(url) || !isAllowed(url, reply.hosts))
        return reject("confirm_url_refused");
      return { kind: "confirmUrl", url, response: empty };
    }
    default:
      return reply satisfies never;
  }
}

/**
 * Printable ASCII without angle brackets, so that a browser can't render an echoed challenge as
 * HTML. Microsoft Graph uses spaces and colons.
 */
const challengePattern = /^[\x20-\x3b\x3d\x3f-\x7e]{1,1024}$/;
/** No backslash: some parsers treat it as a slash, others as part of the host name. */
const urlPattern = /^https:\/\/[\x21-\x5b\x5d-\x7e]{1,2000}$/;
/** The secret is echoed in a header and stored. */
const secretPattern = /^[\x21-\x7e]{8,512}$/;

function respond(
  { status = 200, challenge: place, challengePattern: own, headers = {}, body }: HandshakeReply,
  request: HandshakeRequest,
  knowledge: HandshakeValues,
): HandshakeOutcome {
  const challenge = place === undefined ? "" : readField(place, request);
  const pieces = listPieces(headers, body);
  const isKeyed = pieces.some((piece) => typeof piece === "object" && "hmac" in piece);
  const pattern = own ?? (isKeyed ? macChallengePattern : challengePattern);
  if (challenge === null || (place !== undefined && !pattern.test(challenge)))
    return reject("challenge_malformed");
  if (knowledge.key === null && isKeyed) return reject("secret_missing");
  if (pieces.some((piece) => lacksSetting(piece, knowledge))) return reject("setting_missing");
  const known: Known = { ...knowledge, challenge };
  const made = Object.entries(headers).map(
    ([name, pieces]) => [name, join(pieces, known)] as const,
  );
  return {
    kind: "respond",
    response: {
      status,
      headers: { ...Object.fromEntries(made), ...typeOf(body) },
      body: write(body, known),
    },
  };
}

type HandshakeReply = Extract<Reply, { kind: "respond" }>;

function listPieces(headers: NonNullable<HandshakeReply["headers"]>, body: Body): readonly Piece[] {
  const fields = body?.type === "json" ? Object.values(body.fields) : [body?.text ?? []];
  return [...Object.values(headers), ...fields].flatMap((pieces) =>
    typeof pieces === "number" ? [] : pieces,
  );
}

function lacksSetting(piece: Piece, { settings }: HandshakeValues): boolean {
  return typeof piece === "object" && "setting" in piece && settings?.[piece.setting] === undefined;
}

type Known = HandshakeValues & { readonly challenge: string };
type Body = HandshakeReply["body"];

function typeOf(body: Body): Readonly<Record<string, string>> {
  if (body === undefined) return {};
  return {
    "content-type": body.type === "json" ? "application/json" : "text/plain; charset=utf-8",
  };
}

function write(body: Body, known: Known): string {
  if (body === undefined) return "";
  if (body.type === "text") return join(body.text, known);
  const fields = Object.entries(body.fields).map(
    ([name, pieces]) => [name, typeof pieces === "number" ? pieces : join(pieces, known)] as const,
  );
  return JSON.stringify(Object.fromEntries(fields));
}

function join(pieces: readonly Piece[], known: Known): string {
  return pieces.map((piece) => toText(piece, known)).join("");
}

function toText(piece: Piece, known: Known): string {
  if (typeof piece === "string") return piece;
  if ("value" in piece) return known[piece.value];
  if ("setting" in piece) return known.settings?.[piece.setting] ?? "";
  if ("digest" in piece)
    return createHash(piece.digest).update(join(piece.of, known)).digest(piece.encoding);
  if (known.key === null) throw new Error("the response needs a key, but the hook has none");
  return createHmac(piece.hmac, known.key).update(join(piece.of, known)).digest(piece.encoding);
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hash("sha256", one, "buffer"), hash("sha256", other, "buffer"));
}

/** True for https on its default port, without credentials, at one of the provider's own hosts. */
function isAllowed(text: string, hosts: RegExp): boolean {
  const url = URL.parse(text);
  if (url === null || url.protocol !== "https:" || url.port !== "") return false;
  return url.username === "" && url.password === "" && hosts.test(url.hostname);
}

const details = {
  challenge_malformed:
    "The handshake challenge is missing or invalid. Send 1 to 1024 printable ASCII characters without < and >.",
  verify_token_mismatch:
    "The verify token doesn't match this hook. Copy the verify token from the " +
    "hook's page into the provider's settings, then verify the URL again.",
  secret_missing:
    "This handshake needs the hook's signing secret. Add the provider's " +
    "secret to the hook, then verify the URL again at the provider.",
  setting_missing:
    "This handshake needs a setting that the hook doesn't have. Add it to " +
    "the hook, then verify the URL again at the provider.",
  secret_malformed:
    "The handshake secret is invalid. Send 8 to 512 printable ASCII characters without spaces.",
  confirm_url_refused:
    "The confirmation URL is not one of the provider's own URLs, so it was not requested.",
} as const satisfies Record<HandshakeRejection, string>;

function reject(reason: HandshakeRejection): HandshakeOutcome {
  return { kind: "rejected", reason, detail: details[reason] };
}
