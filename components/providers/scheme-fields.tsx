"use client";

import { HandshakeFields } from "./handshake-fields.tsx";
import { JwtFields } from "./jwt-fields.tsx";
import { Choose, type SchemeFieldsProps, Text } from "./scheme-controls.tsx";
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
          <Text
            label="Header"
            value={draft.header}
            onChange={(header) => onChange({ header })}
            error={errors["source.name"]}
          />
          <Text
            label="Secret prefix"
            value={draft.prefix}
            onChange={(prefix) => onChange({ prefix })}
            hint="Such as Token, with its space. Usually none."
            error={errors.prefix}
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
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        <Text
          label="Signature header"
          value={draft.header}
          onChange={(header) => onChange({ header })}
          error={errors["signature.sources.0.name"]}
        />
        {draft.kind === "mac" ? (
          <Choose
            label="Hash"
            value={draft.hash}
            choices={hashes}
            onChange={(hash) => onChange({ hash })}
            error={errors.hash}
          />
        ) : (
          <Choose
            label="Algorithm"
            value={draft.algorithm}
            choices={algorithms}
            onChange={(algorithm) => onChange({ algorithm })}
            error={errors.algorithm}
          />
        )}
        <Choose
          label="Encoding"
          value={draft.encoding}
          choices={encodings}
          onChange={(encoding) => onChange({ encoding })}
          error={errors.encoding}
        />
      </div>
      <Choose
        label="Header format"
        value={draft.format}
        choices={formats}
        onChange={(format) => onChange({ format })}
        error={errors["signature.format.type"]}
      />
      {draft.format === "prefixed" && (
        <Text
          label="Constant text"
          value={draft.prefix}
          placeholder="sha256="
          onChange={(prefix) => onChange({ prefix })}
          error={errors["signature.format.prefix"]}
        />
      )}
      {draft.format === "pairs" && (
        <div className="grid gap-4 sm:grid-cols-3">
          <Text
            label="Signature key"
            value={draft.signatureKey}
            onChange={(signatureKey) => onChange({ signatureKey })}
            error={errors["signature.format.key"]}
          />
          <Text
            label="Pair separator"
            value={draft.itemSeparator}
            onChange={(itemSeparator) => onChange({ itemSeparator })}
            error={errors["signature.format.itemSeparator"]}
          />
          <Text
            label="Key-value separator"
            value={draft.keySeparator}
            onChange={(keySeparator) => onChange({ keySeparator })}
            error={errors["signature.format.keySeparator"]}
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
  const isKey = draft.kind === "publicKey";
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Choose
        label={isKey ? "Public key format" : "Secret format"}
        value={draft.decode}
        choices={isKey ? decodings.slice(1) : decodings}
        onChange={(decode) => onChange({ decode })}
        error={errors["secret.decode"]}
      />
      <Text
        label="Prefix to remove"
        value={draft.stripPrefix}
        placeholder="whsec_"
        onChange={(stripPrefix) => onChange({ stripPrefix })}
        hint="Usually none."
        error={errors["secret.stripPrefix"]}
      />
    </div>
  );
}
