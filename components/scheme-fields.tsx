"use client";

import type { SchemeDraft } from "./scheme-draft.ts";
import { SelectField, TextField } from "./ui/field.tsx";

type SchemeFieldsProps = {
  readonly draft: SchemeDraft;
  readonly onChange: (change: Partial<SchemeDraft>) => void;
  /** By path inside the verification. */
  readonly errors: Readonly<Record<string, string>>;
};

const kinds = [
  ["mac", "A signature made with a shared secret (HMAC)"],
  ["publicKey", "A signature made with the sender’s private key"],
  ["token", "The secret itself in a header"],
  ["bearer", "A bearer token"],
  ["basic", "User name and password (basic authentication)"],
] as const;

export function SchemeFields({ draft, onChange, errors }: SchemeFieldsProps) {
  const { kind } = draft;
  return (
    <>
      <Choose
        label="What proves who sent it"
        value={kind}
        choices={kinds}
        onChange={(next) => onChange({ kind: next, ...(next === "publicKey" ? { decode: "base64" } : {}) })}
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
            label="Text in front of the secret"
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
    </>
  );
}

const hashes = [
  ["sha256", "SHA-256"],
  ["sha1", "SHA-1"],
  ["sha512", "SHA-512"],
  ["md5", "MD5"],
] as const;
const algorithms = [
  ["ed25519", "Ed25519"],
  ["ecdsa-p256-sha256", "ECDSA P-256 with SHA-256"],
  ["rsa-sha256", "RSA with SHA-256"],
] as const;
const encodings = [
  ["hex", "Hexadecimal"],
  ["base64", "Base64"],
  ["base64url", "Base64 for URLs"],
] as const;
const formats = [
  ["bare", "The signature and nothing else"],
  ["prefixed", "A constant text, then the signature: sha256=…"],
  ["pairs", "Pairs: t=…,v1=…"],
] as const;

/** Which header holds the signature, and in which form. */
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
        label="The header holds"
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
            label="Key of the signature"
            value={draft.signatureKey}
            onChange={(signatureKey) => onChange({ signatureKey })}
            error={errors["signature.format.key"]}
          />
          <Text
            label="Between pairs"
            value={draft.itemSeparator}
            onChange={(itemSeparator) => onChange({ itemSeparator })}
            error={errors["signature.format.itemSeparator"]}
          />
          <Text
            label="Between key and value"
            value={draft.keySeparator}
            onChange={(keySeparator) => onChange({ keySeparator })}
            error={errors["signature.format.keySeparator"]}
          />
        </div>
      )}
    </>
  );
}

const times = [
  ["none", "No time is signed"],
  ["header", "In a header of its own"],
  ["part", "In the signature header, as a pair"],
] as const;
const units = [
  ["s", "Unix seconds"],
  ["ms", "Unix milliseconds"],
  ["rfc3339", "2026-11-21T08:00:00Z"],
  ["iso-zoneless", "2026-11-21T08:00:00, meaning UTC"],
  ["http-date", "Sat, 21 Nov 2026 08:00:00 GMT"],
] as const;

/** What is signed, and when. */
function SignedFields({ draft, onChange, errors }: SchemeFieldsProps) {
  return (
    <>
      <Text
        label="What is signed"
        value={draft.template}
        onChange={(template) => onChange({ template })}
        hint="{body} is the body as sent. Also {timestamp}, {id}, {url} and {method}: for example {timestamp}.{body}"
        error={errors["signed.template"] ?? errors["signed.values"]}
      />
      {draft.template.includes("{id}") && (
        <Text
          label="Header of {id}"
          value={draft.idHeader}
          onChange={(idHeader) => onChange({ idHeader })}
          error={errors["signed.values.id.name"] ?? errors["signed.values.id"]}
        />
      )}
      <Choose
        label="Time"
        value={draft.time}
        choices={times}
        onChange={(time) => onChange({ time })}
        hint={
          draft.time === "none"
            ? "Then only de-duplication stops somebody from sending an old request again."
            : undefined
        }
        error={errors.timestamp}
      />
      {draft.time !== "none" && (
        <div className="grid gap-4 sm:grid-cols-3">
          <Text
            label={draft.time === "part" ? "Key of the time" : "Header of the time"}
            value={draft.timeName}
            placeholder={draft.time === "part" ? "t" : "x-timestamp"}
            onChange={(timeName) => onChange({ timeName })}
            error={
              errors["timestamp.source"] ?? errors["timestamp.source.name"] ?? errors["timestamp.source.key"]
            }
          />
          <Choose
            label="Written as"
            value={draft.unit}
            choices={units}
            onChange={(unit) => onChange({ unit })}
            error={errors["timestamp.unit"]}
          />
          <Text
            label="Accepted for, in seconds"
            value={draft.toleranceSeconds}
            onChange={(toleranceSeconds) => onChange({ toleranceSeconds })}
            error={errors["timestamp.pastSeconds"] ?? errors["timestamp.futureSeconds"]}
          />
        </div>
      )}
    </>
  );
}

const decodings = [
  ["utf8", "Used as the text it is"],
  ["base64", "Base64, decoded first"],
  ["hex", "Hexadecimal, decoded first"],
] as const;

function SecretFields({ draft, onChange, errors }: SchemeFieldsProps) {
  const isKey = draft.kind === "publicKey";
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Choose
        label={isKey ? "The public key is" : "The secret is"}
        value={draft.decode}
        choices={isKey ? decodings.slice(1) : decodings}
        onChange={(decode) => onChange({ decode })}
        error={errors["secret.decode"]}
      />
      <Text
        label="Prefix that is not part of it"
        value={draft.stripPrefix}
        placeholder="whsec_"
        onChange={(stripPrefix) => onChange({ stripPrefix })}
        hint="Usually none."
        error={errors["secret.stripPrefix"]}
      />
    </div>
  );
}

type TextProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
};

function Text({ onChange, ...field }: TextProps) {
  return (
    <TextField
      {...field}
      name={`scheme-${field.label}`}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      className="font-mono text-xs"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

type ChooseProps<Value extends string> = {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly (readonly [Value, string])[];
  readonly onChange: (value: Value) => void;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
};

function Choose<Value extends string>({ choices, onChange, ...field }: ChooseProps<Value>) {
  return (
    <SelectField
      {...field}
      name={`scheme-${field.label}`}
      onChange={(event) => {
        const chosen = choices.find(([value]) => value === event.target.value);
        if (chosen !== undefined) onChange(chosen[0]);
      }}
    >
      {choices.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </SelectField>
  );
}
