"use client";

import { CheckField } from "#components/ui/form/check-field.tsx";
import { asIs, type Codec, optionalNumber } from "#components/ui/form/codec.ts";
import { Field, FieldCheck } from "#components/ui/form/fields.tsx";
import type { SaveHook } from "./save-hook.ts";
import { Section, SectionForm } from "./section.tsx";
import { useSection } from "./use-section.ts";

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

type Cors = { readonly origins: readonly string[] } | null;
const cors: Codec<Cors, string> = {
  text: (value) => value?.origins.join(", ") ?? "",
  read: readCors,
};

const methodList: Codec<readonly string[], readonly string[]> = { text: inOrder, read: inOrder };

const requestFields = {
  methods: methodList,
  splitBatches: asIs<boolean>(),
  ratePerSecond: optionalNumber,
  cors,
};

/** The requests that the catch URL accepts, and how many. */
export function RequestsSection({ hook, save }: RequestsSectionProps) {
  const section = useSection({
    fields: requestFields,
    hook,
    save,
  });
  const { of } = section;
  const methods = of("methods");
  const toggle = (method: string) =>
    methods.onChange(
      methods.value.includes(method)
        ? methods.value.filter((one) => one !== method)
        : [...methods.value, method],
    );
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
                checked={methods.value.includes(method)}
                onChange={() => toggle(method)}
              />
            ))}
          </div>
          <p
            id="methods-note"
            className={
              methods.error === undefined
                ? "text-sm text-muted-foreground"
                : "text-sm text-negative"
            }
          >
            {methods.error === undefined
              ? "Other methods get 405. Nearly every provider uses POST."
              : `Methods ${methods.error}.`}
          </p>
        </fieldset>
        <FieldCheck
          of={of("splitBatches")}
          label="Split batches"
          text="When a provider sends several events in one request, each becomes a separate delivery."
        />
        <Field
          of={{ ...of("cors"), error: findCorsError(section.fields) }}
          label="Pages that may send from a browser (CORS)"
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="None"
          hint={
            "Origins such as https://shop.example, separated by commas, or * for any. Scripts of these pages " +
            "can send JSON and read the response, without cookies. Other clients can send too."
          }
        />
        <Field
          of={of("ratePerSecond")}
          label="Rate limit, requests per second"
          placeholder={hook.defaultRate === 0 ? "No limit" : String(hook.defaultRate)}
          hint={
            "Requests above this rate get 429 with Retry-After and are counted, not stored. " +
            `Bursts of twice the rate pass. Leave it empty for the default, ${usual}.`
          }
        />
      </SectionForm>
    </Section>
  );
}

function readCors(text: string): Cors {
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
