"use client";

import { Choose, fieldsOf, type SchemeFieldsProps, Text } from "./scheme-controls.tsx";
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
  const at = fieldsOf({ draft: handshake, onChange: change, errors });
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
              {...at("method", "handshakes.0.method")}
              label="Request method"
              choices={methods}
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
              {...at("name", "handshakes.0.challenge.name", "handshakes.0.challenge.path")}
              label="Challenge name"
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
                <Text {...at("field", "handshakes.0.reply.json")} label="Response field" />
                <Text
                  {...at("hmacField", "handshakes.0.hmac")}
                  label="HMAC field"
                  hint="SHA-256 of the challenge. Usually none."
                />
              </>
            )}
            <Text
              {...at("verifyToken", "handshakes.0.verifyToken.name")}
              label="Verify token parameter"
              placeholder="hub.verify_token"
              hint="Usually none. The hook's page then shows the token."
            />
          </div>
        </>
      )}
    </fieldset>
  );
}
