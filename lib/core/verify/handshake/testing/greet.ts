import { createHmac } from "node:crypto";
import { readPayload } from "#lib/core/mapping/payload/read-payload.ts";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { findHandshake } from "../find-handshake.ts";
import type { Handshake } from "../handshake.ts";
import { buildHandshakeResponse, type HandshakeOutcome } from "../handshake-response.ts";
import type { HandshakeRequest } from "../read-field.ts";

const knowledge = {
  verifyToken: "catchment-key",
  catchUrl: "https://hooks.example/catch/acme/key",
  key: Buffer.from("the secret"),
  settings: { publicKey: "c4vx3p2tgkyvqbrn" },
};

export type Sent = {
  readonly method?: string;
  readonly query?: string;
  readonly headers?: Record<string, string>;
  /** Text is sent as a form, anything else as JSON. */
  readonly body?: unknown;
};

/** The outcome of a request at a hook, or null if it is no handshake. */
export function greet(
  handshakes: readonly Handshake[],
  sent: Sent,
  known = {},
): HandshakeOutcome | null {
  const request = toRequest(sent);
  const found = findHandshake(handshakes, request);
  return found === null ? null : buildHandshakeResponse(found, request, { ...knowledge, ...known });
}

function toRequest({ method = "POST", query = "", headers = {}, body }: Sent): HandshakeRequest {
  const text = typeof body === "string" ? body : JSON.stringify(body ?? "");
  const type = typeof body === "string" ? "application/x-www-form-urlencoded" : "application/json";
  const distinct = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value]]),
  );
  return { method, query, headers: distinct, payload: readPayload(Buffer.from(text), type) };
}

export const handshakesOf = (id: string) => findProvider(id)?.handshakes ?? [];

/** A MAC with the secret of the hook. */
export const hmac = (encoding: "hex" | "base64", text: string) =>
  createHmac("sha256", "the secret").update(text).digest(encoding);

export const wooCommerceAgent = { "user-agent": "WooCommerce/10.3.0 Hookshot (WordPress/6.8)" };
