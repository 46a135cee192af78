"use client";

import { Choose, type SchemeFieldsProps, Text } from "./scheme-controls.tsx";
import type { HandshakeDraft } from "./scheme-draft.ts";

const methods = [
  ["GET", "GET"],
  ["POST", "POST"],
] as const;
const places = [
  ["query", "Query parameter"],
  ["header", "Header"],
  ["body", "JSON field"],
] as const;
const replies = [
  ["text", "The challenge as text"],
  ["json", "The challenge in JSON"],
  ["header", "The challenge in the same header"],
] as const;

/** The way in which the provider checks the URL before it sends events. */
export function HandshakeFields({ draft, onChange, errors }: SchemeFieldsProps) {
  const { handshake } = draft;
  const change = (part: Partial<HandshakeDraft>) =>
    onChange({ handshake: { ...handshake, ...part } });
  const error = (path: string) => errors[`handshakes.0.${path}`];
  return (
    <fieldset className="grid gap-4">
      <legend className="sr-only">Handshake</legend>
      <label className="flex w-fit cursor-pointer items-center gap-2 text-sm font-medium">
        <input
          type="checkbox"
          checked={handshake.isAsked}
          onChange={() => change({ isAsked: !handshake.isAsked })}
          className="size-4 accent-primary"
        />
        The provider sends a challenge to check the URL
      </label>
      {handshake.isAsked && (
        <>
          <div className="grid gap-4 sm:grid-cols-3">
            <Choose
              label="Request method"
              value={handshake.method}
              choices={methods}
              onChange={(method) => change({ method })}
              error={error("method")}
            />
            <Choose
              label="Challenge location"
              value={handshake.from}
              choices={places}
              onChange={(from) =>
                change({
                  from,
                  ...(from !== "header" && handshake.reply === "header" ? { reply: "text" } : {}),
                })
              }
              error={error("challenge")}
            />
            <Text
              label="Challenge name"
              value={handshake.name}
              onChange={(name) => change({ name })}
              error={error("challenge.name") ?? error("challenge.path")}
            />
          </div>
          <div className="grid gap-4 sm:grid-cols-3">
            <Choose
              label="Reply with"
              value={handshake.reply}
              choices={handshake.from === "header" ? replies : replies.slice(0, 2)}
              onChange={(reply) => change({ reply })}
              error={error("reply") ?? error(`reply.headers.${handshake.name.toLowerCase()}`)}
            />
            {handshake.reply === "json" && (
              <>
                <Text
                  label="Response field"
                  value={handshake.field}
                  onChange={(field) => change({ field })}
                  error={error("reply.json")}
                />
                <Text
                  label="HMAC field"
                  value={handshake.hmacField}
                  onChange={(hmacField) => change({ hmacField })}
                  hint="SHA-256 of the challenge. Usually none."
                  error={error("hmac")}
                />
              </>
            )}
            <Text
              label="Verify token parameter"
              value={handshake.verifyToken}
              placeholder="hub.verify_token"
              onChange={(verifyToken) => change({ verifyToken })}
              hint="Usually none. The hook's page then shows the token."
              error={error("verifyToken.name")}
            />
          </div>
        </>
      )}
    </fieldset>
  );
}
