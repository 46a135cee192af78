import type { CustomHandshake } from "#lib/schema/receive/custom-handshake.ts";
import { splitTemplate } from "#lib/schema/receive/verification-checks.ts";
import type { FieldPlace, Handshake, Piece, Reply } from "./handshake.ts";

/** Converts a user's custom handshakes to the form of the catalog. */
export function toHandshakes(spelledOut: readonly CustomHandshake[]): readonly Handshake[] {
  return spelledOut.map((custom) => {
    const { method, when = [], challenge, verifyToken, signed, hmac } = custom;
    const conditions = when.map(({ field, equals }) => ({
      ...field,
      ...(equals === undefined ? {} : { equals }),
    }));
    const proof =
      verifyToken !== undefined ? { verifyToken } : signed === true ? "signature" : "none";
    return {
      name: "handshake",
      methods: [method],
      when: challenge === undefined ? conditions : [...conditions, challenge],
      proof,
      // An echo reveals nothing, and many providers require it before they show their secret.
      ...(signed === true && hmac === undefined ? { respondsWhilePending: true } : {}),
      reply: toReply(custom, challenge),
    };
  });
}

function toReply({ reply, hmac }: CustomHandshake, challenge: FieldPlace | undefined): Reply {
  const { status, headers = {}, text, json } = reply;
  const pieces = (template: string) => toPieces(template, hmac);
  const all = (templates: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(templates).map(([name, template]) => [name, pieces(template)]),
    );
  return {
    kind: "respond",
    ...(status === undefined ? {} : { status }),
    ...(challenge === undefined ? {} : { challenge }),
    headers: all(headers),
    ...(text === undefined ? {} : { body: { type: "text", text: pieces(text) } }),
    ...(json === undefined ? {} : { body: { type: "json", fields: all(json) } }),
  };
}

function toPieces(template: string, hmac: CustomHandshake["hmac"]): readonly Piece[] {
  return (splitTemplate(template) ?? []).map((piece): Piece => {
    if (typeof piece === "string") return piece;
    switch (piece.variable) {
      case "verify_token":
        return { value: "verifyToken" };
      case "url":
        return { value: "catchUrl" };
      case "hmac":
        return hmac === undefined
          ? ""
          : { hmac: hmac.hash, encoding: hmac.encoding, of: [{ value: "challenge" }] };
      default:
        return { value: "challenge" };
    }
  });
}
