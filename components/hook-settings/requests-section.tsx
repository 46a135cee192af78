"use client";

import { CheckField } from "#components/ui/form/check-field.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import type { SaveHook } from "./save-hook.ts";
import { Section, SectionForm } from "./section.tsx";
import { readNumber, useSection } from "./use-section.ts";

type RequestsSectionProps = {
  readonly hook: {
    readonly id: string;
    readonly methods: readonly string[];
    readonly splitBatches: boolean;
    readonly ratePerSecond: number | null;
    readonly cors: { readonly origins: readonly string[] } | null;
    /** The installation's default limit. 0: no limit. */
    readonly defaultRate: number;
  };
  readonly save: SaveHook;
};

const offered = ["POST", "PUT", "PATCH", "DELETE", "GET"];

/** The requests that the catch URL accepts, and how many. */
export function RequestsSection({ hook, save }: RequestsSectionProps) {
  const section = useSection({
    hookId: hook.id,
    stored: {
      methods: inOrder(hook.methods),
      splitBatches: hook.splitBatches,
      rate: String(hook.ratePerSecond ?? ""),
      origins: hook.cors?.origins.join(", ") ?? "",
    },
    toChange: ({ rate, origins, ...rest }) => ({
      ...rest,
      ratePerSecond: readNumber(rate),
      cors: toCors(origins),
    }),
    save,
  });
  const { draft, change, fields } = section;
  const { methods } = draft;
  const toggle = (method: string) =>
    change({
      methods: inOrder(
        methods.includes(method) ? methods.filter((one) => one !== method) : [...methods, method],
      ),
    });
  const usual = hook.defaultRate === 0 ? "no limit" : `${hook.defaultRate} a second`;
  return (
    <Section title="Accepted requests">
      <SectionForm section={section}>
        <fieldset aria-describedby="methods-note" className="grid gap-2">
          <legend className="mb-2 text-sm font-medium">Methods</legend>
          <div className="flex flex-wrap gap-x-5 gap-y-2">
            {offered.map((method) => (
              <CheckField
                key={method}
                label={method}
                checked={methods.includes(method)}
                onChange={() => toggle(method)}
              />
            ))}
          </div>
          <p
            id="methods-note"
            className={
              fields.methods === undefined
                ? "text-sm text-muted-foreground"
                : "text-sm text-negative"
            }
          >
            {fields.methods === undefined
              ? "Other methods get 405. Nearly every provider uses POST."
              : `Methods ${fields.methods}.`}
          </p>
        </fieldset>
        <CheckField
          label="Split batches"
          text="When a provider sends several events in one request, each becomes a separate delivery."
          checked={draft.splitBatches}
          onChange={(splitBatches) => change({ splitBatches })}
        />
        <TextField
          label="Pages that may send from a browser (CORS)"
          name="origins"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={draft.origins}
          onChange={(event) => change({ origins: event.target.value })}
          placeholder="None"
          hint={
            "Origins such as https://shop.example, separated by commas, or * for any. Scripts of these pages " +
            "can send JSON and read the response, without cookies. Other clients can send too."
          }
          error={findCorsError(fields)}
        />
        <TextField
          label="Rate limit, requests per second"
          name="ratePerSecond"
          inputMode="numeric"
          autoComplete="off"
          value={draft.rate}
          onChange={(event) => change({ rate: event.target.value })}
          placeholder={hook.defaultRate === 0 ? "No limit" : String(hook.defaultRate)}
          hint={
            "Requests above this rate get 429 with Retry-After and are counted, not stored. " +
            `Bursts of twice the rate pass. Leave it empty for the default, ${usual}.`
          }
          error={fields.ratePerSecond}
        />
      </SectionForm>
    </Section>
  );
}

function toCors(text: string): { readonly origins: readonly string[] } | null {
  const origins = text
    .split(",")
    // An address bar ends it with a slash.
    .map((origin) => origin.trim().replace(/\/$/, ""))
    .filter((origin) => origin !== "");
  return origins.length === 0 ? null : { origins };
}

function findCorsError(fields: Readonly<Record<string, string>>): string | undefined {
  const path = Object.keys(fields).find((field) => field.startsWith("cors"));
  return path === undefined ? undefined : fields[path];
}

function inOrder(methods: readonly string[]): readonly string[] {
  return offered.filter((method) => methods.includes(method));
}
