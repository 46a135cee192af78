"use client";

import { Choose, type SchemeFieldsProps, Text } from "./scheme-controls.tsx";

const algorithms = [
  ["HS256", "HS256, shared secret"],
  ["HS384", "HS384, shared secret"],
  ["HS512", "HS512, shared secret"],
  ["RS256", "RS256, public key"],
  ["RS384", "RS384, public key"],
  ["RS512", "RS512, public key"],
  ["ES256", "ES256, public key"],
  ["EdDSA", "EdDSA, public key"],
] as const;

/** The place of the token, and its required content. */
export function JwtFields({ draft, onChange, errors }: SchemeFieldsProps) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        <Text
          label="Header"
          value={draft.header}
          placeholder="authorization"
          onChange={(header) => onChange({ header })}
          error={errors["source.name"]}
        />
        <Text
          label="Token prefix"
          value={draft.prefix}
          placeholder="Bearer "
          onChange={(prefix) => onChange({ prefix })}
          error={errors.prefix}
        />
        <Choose
          label="Algorithm"
          value={draft.jwtAlgorithm}
          choices={algorithms}
          onChange={(jwtAlgorithm) => onChange({ jwtAlgorithm })}
          error={errors["algorithms.0"] ?? errors.algorithms}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Text
          label="Body hash claim"
          value={draft.claim}
          placeholder="payload_hash"
          onChange={(claim) => onChange({ claim })}
          hint="SHA-256 in hex. Without it, the token proves who sent a delivery, but not its content."
          error={errors["bodyHash.claim"] ?? errors.bodyHash}
        />
        <Text
          label="Valid for, in seconds"
          value={draft.maxAgeSeconds}
          onChange={(maxAgeSeconds) => onChange({ maxAgeSeconds })}
          hint="Counted from iat. Leave it empty if the token has exp."
          error={errors.maxAgeSeconds}
        />
        <Text
          label="Issuer (iss)"
          value={draft.issuer}
          onChange={(issuer) => onChange({ issuer })}
          hint="Optional."
          error={errors.issuer}
        />
        <Text
          label="Audience (aud)"
          value={draft.audience}
          onChange={(audience) => onChange({ audience })}
          hint="Optional."
          error={errors.audience}
        />
      </div>
    </>
  );
}
