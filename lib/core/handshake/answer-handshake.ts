import { createHash, createHmac, hash, timingSafeEqual } from "node:crypto";
import type { Handshake, Piece, Reply } from "./handshake.ts";
import { macChallengePattern } from "./mac-challenge.ts";
import { type HandshakeRequest, readField } from "./read-field.ts";

/** What the answer is made of besides the request. */
export type HandshakeKnowledge = {
  readonly verifyToken: string;
  /** As the sender was given it: without a query. */
  readonly catchUrl: string;
  /** The hook's newest secret, decoded as its scheme says; null: it has none that can be used. */
  readonly key: Uint8Array | null;
  /** What the hook knows beside the secret. */
  readonly settings?: Readonly<Record<string, string>>;
};

/** Nothing in it comes from the request but a challenge that was looked at, so that it can't be made to say anything else. */
export type HandshakeAnswer = {
  readonly status: 200 | 204;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type HandshakeOutcome =
  | { readonly kind: "answer"; readonly answer: HandshakeAnswer }
  /** Keep the secret first; the answer says that it was kept. */
  | { readonly kind: "keepSecret"; readonly secret: string; readonly answer: HandshakeAnswer }
  /** Call the URL first. */
  | { readonly kind: "confirmUrl"; readonly url: string; readonly answer: HandshakeAnswer }
  | { readonly kind: "refused"; readonly reason: HandshakeRefusal; readonly detail: string };

export type HandshakeRefusal =
  | "challenge_malformed"
  | "verify_token_mismatch"
  | "secret_missing"
  | "setting_missing"
  | "secret_malformed"
  | "confirm_url_refused";

const empty: HandshakeAnswer = { status: 200, headers: {}, body: "" };

/** Answers a request that `findHandshake` found to be one. A signed one has been verified by then. */
export function answerHandshake(
  { proof, reply }: Handshake,
  request: HandshakeRequest,
  knowledge: HandshakeKnowledge,
): HandshakeOutcome {
  if (typeof proof === "object") {
    const token = readField(proof.verifyToken, request);
    if (token === null || !isSame(token, knowledge.verifyToken)) return refuse("verify_token_mismatch");
  }
  switch (reply.kind) {
    case "answer":
      return answer(reply, request, knowledge);
    case "keepSecret": {
      const secret = readField(reply.secret, request);
      if (secret === null || !secretPattern.test(secret)) return refuse("secret_malformed");
      const headers = reply.echoHeader === undefined ? {} : { [reply.echoHeader]: secret };
      return { kind: "keepSecret", secret, answer: { ...empty, headers } };
    }
    case "confirmUrl": {
      const url = readField(reply.url, request);
      if (url === null || !urlPattern.test(url) || !isAllowed(url, reply.hosts))
        return refuse("confirm_url_refused");
      return { kind: "confirmUrl", url, answer: empty };
    }
    default:
      return reply satisfies never;
  }
}

/**
 * What challenges are made of: printable ASCII without angle brackets, so that an echo is no page, whatever a browser takes
 * it for. Microsoft Graph's has spaces and colons in it.
 */
const challengePattern = /^[\x20-\x3b\x3d\x3f-\x7e]{1,1024}$/;
/** No backslash: some parsers take it for a slash, others for a part of the host's name. */
const urlPattern = /^https:\/\/[\x21-\x5b\x5d-\x7e]{1,2000}$/;
/** It goes back in a header, and into the store. */
const secretPattern = /^[\x21-\x7e]{8,512}$/;

function answer(
  { status = 200, challenge: place, challengePattern: own, headers = {}, body }: AnswerReply,
  request: HandshakeRequest,
  knowledge: HandshakeKnowledge,
): HandshakeOutcome {
  const challenge = place === undefined ? "" : readField(place, request);
  const pieces = listPieces(headers, body);
  const isKeyed = pieces.some((piece) => typeof piece === "object" && "hmac" in piece);
  const pattern = own ?? (isKeyed ? macChallengePattern : challengePattern);
  if (challenge === null || (place !== undefined && !pattern.test(challenge)))
    return refuse("challenge_malformed");
  if (knowledge.key === null && isKeyed) return refuse("secret_missing");
  if (pieces.some((piece) => lacksSetting(piece, knowledge))) return refuse("setting_missing");
  const known: Known = { ...knowledge, challenge };
  const made = Object.entries(headers).map(([name, pieces]) => [name, join(pieces, known)] as const);
  return {
    kind: "answer",
    answer: { status, headers: { ...Object.fromEntries(made), ...typeOf(body) }, body: write(body, known) },
  };
}

type AnswerReply = Extract<Reply, { kind: "answer" }>;

function listPieces(headers: NonNullable<AnswerReply["headers"]>, body: Body): readonly Piece[] {
  const fields = body?.type === "json" ? Object.values(body.fields) : [body?.text ?? []];
  return [...Object.values(headers), ...fields].flatMap((pieces) =>
    typeof pieces === "number" ? [] : pieces,
  );
}

function lacksSetting(piece: Piece, { settings }: HandshakeKnowledge): boolean {
  return typeof piece === "object" && "setting" in piece && settings?.[piece.setting] === undefined;
}

type Known = HandshakeKnowledge & { readonly challenge: string };
type Body = AnswerReply["body"];

function typeOf(body: Body): Readonly<Record<string, string>> {
  if (body === undefined) return {};
  return { "content-type": body.type === "json" ? "application/json" : "text/plain; charset=utf-8" };
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
  if ("digest" in piece) return createHash(piece.digest).update(join(piece.of, known)).digest(piece.encoding);
  if (known.key === null) throw new Error("an answer that needs a key was begun without one");
  return createHmac(piece.hmac, known.key).update(join(piece.of, known)).digest(piece.encoding);
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hash("sha256", one, "buffer"), hash("sha256", other, "buffer"));
}

/** https, on its usual port, without credentials, at one of the sender's own hosts. */
function isAllowed(text: string, hosts: RegExp): boolean {
  const url = URL.parse(text);
  if (url === null || url.protocol !== "https:" || url.port !== "") return false;
  return url.username === "" && url.password === "" && hosts.test(url.hostname);
}

const details = {
  challenge_malformed:
    "The challenge of this handshake is missing, or is not 1 to 1024 printable ASCII characters without < and >. Nothing was answered to it.",
  verify_token_mismatch:
    "The verify token is not this hook's. Copy the verify token from the hook's page into the sender's settings, and let it check the URL again.",
  secret_missing:
    "The hook has no signing secret yet, and this handshake is answered with it. Add the sender's secret to the hook, then let the sender check the URL again.",
  setting_missing:
    "The hook lacks a value that this handshake is answered with. Add what the hook's settings ask for beside the secret, then let the sender check the URL again.",
  secret_malformed: "The secret of this handshake is not 8 to 512 printable ASCII characters without spaces.",
  confirm_url_refused: "The URL to confirm is not one of the sender's own. It was not called.",
} as const satisfies Record<HandshakeRefusal, string>;

function refuse(reason: HandshakeRefusal): HandshakeOutcome {
  return { kind: "refused", reason, detail: details[reason] };
}
