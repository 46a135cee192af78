"use client";

import { HandshakeFields } from "./handshake-fields.tsx";
import { JwtFields } from "./jwt-fields.tsx";
import { Choose, fieldsOf, type SchemeFieldsProps, Text } from "./scheme-controls.tsx";
import type { SchemeDraft } from "./scheme-draft.ts";
import { SignedFields } from "./signed-fields.tsx";

const kinds = [
  ["mac", "A signature made with a shared secret (HMAC)"],
  ["publicKey", "A signature made with the provider's private key"],
  ["jwt", "A JSON Web Token (JWT)"],
  ["token", "The secret itself in a header"],
  ["bearer", "A bearer token"],
  ["basic", "Username and password (basic authentication)"],
] as const;

/** The usual values of a kind. */
const starts: { readonly [Kind in SchemeDraft["kind"]]?: Partial<SchemeDraft> } = {
  publicKey: { decode: "base64" },
  jwt: { header: "authorization", prefix: "Bearer " },
};

export function SchemeFields({ draft, onChange, errors }: SchemeFieldsProps) {
  const at = fieldsOf({ draft, onChange, errors });
  const { kind } = draft;
  return (
    <>
      <Choose
        label="Authentication method"
        value={kind}
        choices={kinds}
        onChange={(next) => onChange({ kind: next, ...starts[next] })}
        error={errors.kind}
      />
      {kind === "token" && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Text {...at("header", "source.name")} label="Header" />
          <Text
            {...at("prefix")}
            label="Secret prefix"
            hint="Such as Token, with its space. Usually none."
          />
        </div>
      )}
      {(kind === "mac" || kind === "publicKey") && (
        <>
          <SignatureFields draft={draft} onChange={onChange} errors={errors} />
          <SignedFields draft={draft} onChange={onChange} errors={errors} />
          <SecretFields draft={draft} onChange={onChange} errors={errors} />
        </>
      )}
      {kind === "jwt" && <JwtFields draft={draft} onChange={onChange} errors={errors} />}
      <HandshakeFields draft={draft} onChange={onChange} errors={errors} />
    </>
  );
}

const hashes = [
  ["sha256", "SHA-256"],
  ["sha384", "SHA-384"],
  ["sha512", "SHA-512"],
  ["sha1", "SHA-1"],
  ["md5", "MD5"],
] as const;
const algorithms = [
  ["ed25519", "Ed25519"],
  ["ecdsa-p256-sha256", "ECDSA P-256 with SHA-256"],
  ["rsa-sha256", "RSA with SHA-256"],
  ["rsa-sha384", "RSA with SHA-384"],
  ["rsa-sha512", "RSA with SHA-512"],
] as const;
const encodings = [
  ["hex", "Hexadecimal"],
  ["base64", "Base64"],
  ["base64url", "Base64url"],
] as const;
const formats = [
  ["bare", "Signature only"],
  ["prefixed", "A constant text, then the signature: sha256=…"],
  ["pairs", "Pairs: t=…,v1=…"],
] as const;

/** The header that contains the signature, and its format. */
function SignatureFields({ draft, onChange, errors }: SchemeFieldsProps) {
  const at = fieldsOf({ draft, onChange, errors });
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        <Text {...at("header", "signature.sources.0.name")} label="Signature header" />
        {draft.kind === "mac" ? (
          <Choose {...at("hash")} label="Hash" choices={hashes} />
        ) : (
          <Choose {...at("algorithm")} label="Algorithm" choices={algorithms} />
        )}
        <Choose {...at("encoding")} label="Encoding" choices={encodings} />
      </div>
      <Choose {...at("format", "signature.format.type")} label="Header format" choices={formats} />
      {draft.format === "prefixed" && (
        <Text
          {...at("prefix", "signature.format.prefix")}
          label="Constant text"
          placeholder="sha256="
        />
      )}
      {draft.format === "pairs" && (
        <div className="grid gap-4 sm:grid-cols-3">
          <Text {...at("signatureKey", "signature.format.key")} label="Signature key" />
          <Text {...at("itemSeparator", "signature.format.itemSeparator")} label="Pair separator" />
          <Text
            {...at("keySeparator", "signature.format.keySeparator")}
            label="Key-value separator"
          />
        </div>
      )}
    </>
  );
}

const decodings = [
  ["utf8", "Text"],
  ["base64", "Base64, decoded first"],
  ["base64url", "Base64url, decoded first"],
  ["hex", "Hexadecimal, decoded first"],
] as const;

function SecretFields({ draft, onChange, errors }: SchemeFieldsProps) {
  const at = fieldsOf({ draft, onChange, errors });
  const isKey = draft.kind === "publicKey";
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Choose
        {...at("decode", "secret.decode")}
        label={isKey ? "Public key format" : "Secret format"}
        choices={isKey ? decodings.slice(1) : decodings}
      />
      <Text
        {...at("stripPrefix", "secret.stripPrefix")}
        label="Prefix to remove"
        placeholder="whsec_"
        hint="Usually none."
      />
    </div>
  );
}
