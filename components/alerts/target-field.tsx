"use client";

import { SelectField, TextField } from "#components/ui/form/field.tsx";
import type { ChannelKind } from "#lib/schema/watch/alert.ts";
import { urlHints } from "./channel-words.ts";

type TargetFieldProps = {
  readonly kind: ChannelKind;
  readonly fields: Readonly<Record<string, string | undefined>>;
  /** The stored target. If the field is left empty, it is kept. Omitted: it is a new channel. */
  readonly current?: string;
};

const pagerDutyRegions = {
  "": "US",
  "https://events.eu.pagerduty.com/v2/enqueue": "EU",
} as const;

/** Where a channel sends its messages. */
export function TargetField({ kind, fields, current }: TargetFieldProps) {
  const kept = current === undefined ? "" : "Leave it empty to keep the current one. ";
  if (kind === "email")
    return (
      <TextField
        label="Email"
        name="to"
        type="email"
        autoComplete="off"
        placeholder="oncall@example.com"
        defaultValue={current}
        error={fields.to}
      />
    );
  if (kind === "pagerduty")
    return (
      <>
        <TextField
          label="Integration key"
          name="routingKey"
          autoComplete="off"
          spellCheck={false}
          hint={`${kept}Of an integration with Events API v2. It is stored encrypted.`}
          error={fields.routingKey}
        />
        {current === undefined && (
          <SelectField label="Service region" name="url" error={fields.url}>
            {Object.entries(pagerDutyRegions).map(([url, name]) => (
              <option key={name} value={url}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
      </>
    );
  return (
    <TextField
      label="URL"
      name="url"
      autoComplete="off"
      spellCheck={false}
      placeholder="https://"
      hint={`${kept}${urlHints[kind]} It is stored encrypted.`}
      error={fields.url}
    />
  );
}

/** The input of the field and its region. Empty fields of a kind that may keep them are left out. */
export function readTarget(kind: ChannelKind, form: FormData, isNew = true): object {
  const given = (name: string, isNeeded: boolean) => {
    const value = String(form.get(name) ?? "").trim();
    return value === "" && !isNeeded ? {} : { [name]: value };
  };
  if (kind === "email") return given("to", true);
  if (kind === "pagerduty") return { ...given("routingKey", isNew), ...given("url", false) };
  return given("url", isNew);
}
