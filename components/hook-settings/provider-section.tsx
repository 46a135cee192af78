"use client";

import Link from "next/link";
import { ProviderMark } from "#components/providers/provider-mark.tsx";
import {
  type ProviderSetting,
  ProviderSettingFields,
  toVerification,
} from "#components/providers/provider-settings.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import type { SaveHook } from "./save-hook.ts";
import { Section, SectionForm } from "./section.tsx";
import { readNumber, useSection } from "./use-section.ts";

type ProviderSectionProps = {
  readonly hook: {
    readonly id: string;
    readonly provider: string;
    readonly providerName: string;
    /** The values that the provider needs in addition to the secret. */
    readonly settings: readonly ProviderSetting[];
    readonly settingValues: Readonly<Record<string, string>>;
    readonly toleranceSeconds: number | null;
    /** Null: no signed time. */
    readonly defaultToleranceSeconds: number | null;
  };
  readonly save: SaveHook;
};

/** The provider of the deliveries, and what verifying them needs. */
export function ProviderSection({ hook, save }: ProviderSectionProps) {
  const path = `/hooks/${hook.id}/settings/provider`;
  return (
    <Section
      title="Provider"
      lead="Sets how deliveries are verified, and where their id and type are."
    >
      <div className="flex flex-wrap items-center gap-3">
        <ProviderMark id={hook.provider} name={hook.providerName} />
        <span className="min-w-0 flex-1 basis-40 font-medium break-words">{hook.providerName}</span>
        {hook.provider === "custom" && (
          <Link href={`${path}?to=custom`} className={buttonClasses("secondary")}>
            Edit the signature
          </Link>
        )}
        <Link href={path} className={buttonClasses("secondary")}>
          Change provider
        </Link>
      </div>
      {(hook.settings.length > 0 || hook.defaultToleranceSeconds !== null) && (
        <ProviderFields key={hook.provider} hook={hook} save={save} />
      )}
    </Section>
  );
}

function ProviderFields({ hook, save }: ProviderSectionProps) {
  const { settings, settingValues, toleranceSeconds, defaultToleranceSeconds } = hook;
  const section = useSection({
    hookId: hook.id,
    stored: { values: settingValues, tolerance: String(toleranceSeconds ?? "") },
    toChange: ({ values, tolerance }) => ({
      ...(settings.length > 0 && { verification: null, ...toVerification(Object.entries(values)) }),
      toleranceSeconds: readNumber(tolerance),
    }),
    save,
  });
  const { draft, change, fields } = section;
  return (
    <SectionForm section={section}>
      <ProviderSettingFields
        settings={settings}
        values={draft.values}
        onChange={(name, value) => change({ values: { ...draft.values, [name]: value } })}
        fields={fields}
      />
      {defaultToleranceSeconds !== null && (
        <TextField
          label="Time window, in seconds"
          name="toleranceSeconds"
          inputMode="numeric"
          autoComplete="off"
          value={draft.tolerance}
          onChange={(event) => change({ tolerance: event.target.value })}
          placeholder={String(defaultToleranceSeconds)}
          hint={
            "How far the signed time may be from this server's clock. Leave it " +
            `empty for the default, ${defaultToleranceSeconds} s. A wide window lets a ` +
            "captured delivery be sent again for longer."
          }
          error={fields.toleranceSeconds}
        />
      )}
    </SectionForm>
  );
}
