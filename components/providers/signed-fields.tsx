"use client";

import { Choose, fieldsOf, type SchemeFieldsProps, Text } from "./scheme-controls.tsx";

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
  const at = fieldsOf({ draft, onChange, errors });
  return (
    <>
      <Text
        {...at("template", "signed.template", "signed.values")}
        label="What is signed"
        hint={
          "{body} is the body as sent, and {sha256(body)} its hash in hex. Also " +
          "{timestamp}, {id}, {url}, {path}, {method}, and {digest} for a header " +
          "with the body's hash. For example {timestamp}.{body}"
        }
      />
      {draft.template.includes("{digest}") && (
        <div className="grid gap-4 sm:grid-cols-3">
          <Text
            {...at("digestHeader", "bodyDigest.header", "bodyDigest")}
            label="Header for {digest}"
          />
          <Choose
            {...at("digestHash", "bodyDigest.hash")}
            label="Hash of the body"
            choices={digestHashes}
          />
          <Text
            {...at("digestPrefix", "bodyDigest.prefix")}
            label="Hash prefix"
            placeholder="sha-256="
          />
        </div>
      )}
      {draft.template.includes("{id}") && (
        <Text
          {...at("idHeader", "signed.values.id.name", "signed.values.id")}
          label="Header for {id}"
        />
      )}
      <Choose
        {...at("time", "timestamp")}
        label="Time"
        choices={times}
        hint={
          draft.time === "none" ? "Without it, only de-duplication prevents replays." : undefined
        }
      />
      {draft.time !== "none" && (
        <div className="grid gap-4 sm:grid-cols-3">
          <Text
            {...at("timeName", "timestamp.source", "timestamp.source.name", "timestamp.source.key")}
            label={draft.time === "part" ? "Time key" : "Time header"}
            placeholder={draft.time === "part" ? "t" : "x-timestamp"}
          />
          <Choose {...at("unit", "timestamp.unit")} label="Time format" choices={units} />
          <Text
            {...at("toleranceSeconds", "timestamp.pastSeconds", "timestamp.futureSeconds")}
            label="Valid for, in seconds"
          />
        </div>
      )}
    </>
  );
}
