import { TextField } from "#components/ui/form/field.tsx";

/** A value that a provider needs in addition to the secret, such as the webhook's id. */
export type ProviderSetting = {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly example: string;
  /** Null: required before anything can be verified. */
  readonly fallback: string | null;
};

type ProviderSettingFieldsProps = {
  readonly settings: readonly ProviderSetting[];
  readonly values?: Readonly<Record<string, string>>;
  /** Default: the fields keep what is typed, and the form reads it. */
  readonly onChange?: (name: string, value: string) => void;
  /** Errors by path, such as "verification.settings.webhookId". */
  readonly fields: Readonly<Record<string, string>>;
};

/**
 * The values that a provider declares. Most are known only after the provider has the URL, so none
 * is required at first.
 */
export function ProviderSettingFields({
  settings,
  values = {},
  onChange,
  fields,
}: ProviderSettingFieldsProps) {
  return settings.map(({ name, label, help, example, fallback }) => (
    <TextField
      key={name}
      label={label}
      name={`setting-${name}`}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      placeholder={example}
      {...(onChange === undefined
        ? { defaultValue: values[name] ?? "" }
        : {
            value: values[name] ?? "",
            onChange: (event) => onChange(name, event.target.value),
          })}
      hint={`${help}${fallback === null ? " You can add it later." : ` Left empty: ${fallback}`}`}
      error={fields[`verification.settings.${name}`]}
    />
  ));
}

/** The settings of a form as API input, without empty ones. */
export function readProviderSettings(settings: readonly ProviderSetting[], form: FormData) {
  return toVerification(
    settings.map(({ name }) => [name, String(form.get(`setting-${name}`) ?? "")]),
  );
}

export function toVerification(values: readonly (readonly [name: string, value: string])[]) {
  const given = values
    .map(([name, value]) => [name, value.trim()] as const)
    .filter(([, value]) => value !== "");
  return given.length === 0 ? {} : { verification: { settings: Object.fromEntries(given) } };
}
