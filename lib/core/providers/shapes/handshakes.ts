/** Handshakes shared by several providers. */
import type { Handshake, Piece } from "#lib/core/verify/handshake/handshake.ts";
import { inHeader, inQuery } from "./places.ts";

export const challenge: Piece = { value: "challenge" };

/** Responds to `GET ?challenge=…` with the challenge as text. */
export function echoQuery(name: string, method: "GET" | "POST" = "GET"): Handshake {
  const place = inQuery(name);
  return {
    name: "challenge",
    methods: [method],
    when: [place],
    proof: "none",
    reply: { kind: "respond", challenge: place, body: { type: "text", text: [challenge] } },
  };
}

/** Responds with success. */
export function plain(method: "GET" | "HEAD"): Handshake {
  return {
    name: `${method} request`,
    methods: [method],
    when: [],
    proof: "none",
    reply: { kind: "respond" },
  };
}

/**
 * The handshake of the CloudEvents 1.0 web hook specification, section 4. It asks which origin may
 * send, and how fast.
 */
export const allowedOrigin: Handshake = {
  name: "abuse protection request",
  methods: ["OPTIONS"],
  when: [inHeader("webhook-request-origin")],
  proof: "none",
  reply: {
    kind: "respond",
    challenge: inHeader("webhook-request-origin"),
    headers: {
      allow: ["POST"],
      "webhook-allowed-origin": [challenge],
      "webhook-allowed-rate": ["*"],
    },
  },
};
