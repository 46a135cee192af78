"use client";

import { Choose, type SchemeFieldsProps, Text } from "./scheme-controls.tsx";

const digestHashes = [
  ["sha256", "SHA-256"],
  ["sha384", "SHA-384"],
  ["sha512", "SHA-512"],
] as const;

const times = [
  ["none", "No signed time"],
  ["header", "In a separate header"],
  ["part", "In the signature header"],
] as const;
const units = [
  ["s", "Unix seconds"],
  ["ms", "Unix milliseconds"],
  ["rfc3339", "2026-11-21T08:00:00Z"],
  ["iso-zoneless", "2026-11-21T08:00:00, meaning UTC"],
  ["http-date", "Sat, 21 Nov 2026 08:00:00 GMT"],
] as const;

/** The content that is signed, and the time. */
export function SignedFields({ draft, onChange, errors }: SchemeFieldsProps) {
  return (
    <>
      <Text
        label="What is signed"
        value={draft.template}
        onChange={(template) => onChange({ template })}
        hint={
          "{body} is the body as sent, and {sha256(body)} its hash in hex. Also " +
          "{timestamp}, {id}, {url}, {path}, {method}, and {digest} for a header " +
          "with the body's hash. For example {timestamp}.{body}"
        }
        error={errors["signed.template"] ?? errors["signed.values"]}
      />
      {draft.template.includes("{digest}") && (
        <div className="grid gap-4 sm:grid-cols-3">
          <Text
            label="Header for {digest}"
            value={draft.digestHeader}
            onChange={(digestHeader) => onChange({ digestHeader })}
            error={errors["bodyDigest.header"] ?? errors.bodyDigest}
          />
          <Choose
            label="Hash of the body"
            value={draft.digestHash}
            choices={digestHashes}
            onChange={(digestHash) => onChange({ digestHash })}
            error={errors["bodyDigest.hash"]}
          />
          <Text
            label="Hash prefix"
            value={draft.digestPrefix}
            placeholder="sha-256="
            onChange={(digestPrefix) => onChange({ digestPrefix })}
            error={errors["bodyDigest.prefix"]}
          />
        </div>
      )}
      {draft.template.includes("{id}") && (
        <Text
          label="Header for {id}"
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
          draft.time === "none" ? "Without it, only de-duplication prevents replays." : undefined
        }
        error={errors.timestamp}
      />
      {draft.time !== "none" && (
        <div className="grid gap-4 sm:grid-cols-3">
          <Text
            label={draft.time === "part" ? "Time key" : "Time header"}
            value={draft.timeName}
            placeholder={draft.time === "part" ? "t" : "x-timestamp"}
            onChange={(timeName) => onChange({ timeName })}
            error={
              errors["timestamp.source"] ??
              errors["timestamp.source.name"] ??
              errors["timestamp.source.key"]
            }
          />
          <Choose
            label="Time format"
            value={draft.unit}
            choices={units}
            onChange={(unit) => onChange({ unit })}
            error={errors["timestamp.unit"]}
          />
          <Text
            label="Valid for, in seconds"
            value={draft.toleranceSeconds}
            onChange={(toleranceSeconds) => onChange({ toleranceSeconds })}
            error={errors["timestamp.pastSeconds"] ?? errors["timestamp.futureSeconds"]}
          />
        </div>
      )}
    </>
  );
}
