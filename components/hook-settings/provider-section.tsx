"use client";

import { ProviderMark } from "#components/providers/provider-mark.tsx";
import {
  type ProviderSetting,
  ProviderSettingFields,
  toVerification,
} from "#components/providers/provider-settings.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { type Codec, optionalNumber } from "#components/ui/form/codec.ts";
import { Field } from "#components/ui/form/fields.tsx";
import { Link } from "#components/ui/link.tsx";
import type { SaveHook } from "./save-hook.ts";
import { Section, SectionForm } from "./section.tsx";
import { useSection } from "./use-section.ts";

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
  const { settings, settingValues, defaultToleranceSeconds } = hook;
  const section = useSection({
    fields: { verification: toCodec(settings), toleranceSeconds: optionalNumber },
    hook: { ...hook, verification: settingValues },
    save,
  });
  const values = section.of("verification");
  return (
    <SectionForm section={section}>
      <ProviderSettingFields
        settings={settings}
        values={values.value}
        onChange={(name, value) => values.onChange({ ...values.value, [name]: value })}
        fields={section.fields}
      />
      {defaultToleranceSeconds !== null && (
        <Field
          of={section.of("toleranceSeconds")}
          label="Time window, in seconds"
          placeholder={String(defaultToleranceSeconds)}
          hint={
            "How far the signed time may be from this server's clock. Leave it " +
            `empty for the default, ${defaultToleranceSeconds} s. A wide window lets a ` +
            "captured delivery be sent again for longer."
          }
        />
      )}
    </SectionForm>
  );
}

type SettingValues = Readonly<Record<string, string>>;

/** The values of the provider's settings. They aren't sent if it has none. */
function toCodec(settings: readonly ProviderSetting[]): Codec<SettingValues, SettingValues> {
  return {
    text: (values) => values,
    read: (values) => {
      if (settings.length === 0) return undefined;
      return toVerification(Object.entries(values)).verification ?? null;
    },
  };
}
