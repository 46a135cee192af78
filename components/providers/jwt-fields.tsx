"use client";

import { Choose, fieldsOf, type SchemeFieldsProps, Text } from "./scheme-controls.tsx";

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
  const at = fieldsOf({ draft, onChange, errors });
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        <Text {...at("header", "source.name")} label="Header" placeholder="authorization" />
        <Text {...at("prefix")} label="Token prefix" placeholder="Bearer " />
        <Choose
          {...at("jwtAlgorithm", "algorithms.0", "algorithms")}
          label="Algorithm"
          choices={algorithms}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Text
          {...at("claim", "bodyHash.claim", "bodyHash")}
          label="Body hash claim"
          placeholder="payload_hash"
          hint="SHA-256 in hex. Without it, the token proves who sent a delivery, but not its content."
        />
        <Text
          {...at("maxAgeSeconds")}
          label="Valid for, in seconds"
          hint="Counted from iat. Leave it empty if the token has exp."
        />
        <Text {...at("issuer")} label="Issuer (iss)" hint="Optional." />
        <Text {...at("audience")} label="Audience (aud)" hint="Optional." />
      </div>
    </>
  );
}
