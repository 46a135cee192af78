"use client";

import { useEffect, useRef, useState } from "react";
import { TextField } from "#components/ui/form/field.tsx";
import { nameOfZone, toLocalTime, toUtcTime } from "#components/ui/time/local-time.ts";
import { useTimeZone } from "#components/ui/time/time-zone.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";

type TimeFieldProps = {
  /** Such as "From". */
  readonly label: string;
  readonly name: string;
  /** The value in the URL, in UTC. */
  readonly value: string;
  readonly hint?: string;
  readonly error: string | undefined;
};

/**
 * A time in the viewer's time zone. The form submits UTC, so that a URL means the same everywhere.
 * Without scripts the field is in UTC.
 */
export function TimeField({ label, name, value, hint, error }: TimeFieldProps) {
  const isInBrowser = useHydrated();
  const timeZone = useTimeZone();
  const [local, setLocal] = useState<string | null>(null);
  const field = useRef<HTMLDivElement>(null);

  // The URL may change under the form. Keep what is being typed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new URL replaces what was typed
  useEffect(() => {
    if (field.current?.contains(document.activeElement) !== true) setLocal(null);
  }, [value]);

  if (!isInBrowser || timeZone === undefined)
    return (
      <TextField
        label={`${label} (UTC)`}
        name={name}
        type="datetime-local"
        defaultValue={value}
        hint={hint}
        error={error}
      />
    );
  const shown = local ?? toLocalTime(value, timeZone);
  return (
    <div ref={field}>
      <TextField
        label={`${label} (${nameOfZone(shown, timeZone)})`}
        name=""
        type="datetime-local"
        value={shown}
        onChange={(event) => setLocal(event.target.value)}
        hint={hint}
        error={error}
      />
      <input
        type="hidden"
        name={name}
        value={local === null ? value : toUtcTime(local, timeZone)}
      />
    </div>
  );
}
