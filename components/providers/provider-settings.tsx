import { TextField } from "#components/ui/form/field.tsx";

/** A value that a provider needs beside the secret, such as the id that it has given the webhook. */
export type ProviderSetting = {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly example: string;
  /** Null: it has to be there before anything can be verified. */
  readonly fallback: string | null;
};

type ProviderSettingFieldsProps = {
  readonly settings: readonly ProviderSetting[];
  readonly values?: Readonly<Record<string, string>>;
  /** By path, as in "verification.settings.webhookId". */
  readonly fields: Readonly<Record<string, string>>;
};

/** Whatever a provider declares. Most show such values only once they know the URL, so none has to be there to begin with. */
export function ProviderSettingFields({
  settings,
  values = {},
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
      defaultValue={values[name] ?? ""}
      hint={`${help}${fallback === null ? " You can add it later." : ` Left empty: ${fallback}`}`}
      error={fields[`verification.settings.${name}`]}
    />
  ));
}

/** As the API takes them, without those that were left empty. */
export function readProviderSettings(settings: readonly ProviderSetting[], form: FormData) {
  const given = settings
    .map(({ name }) => [name, String(form.get(`setting-${name}`) ?? "").trim()] as const)
    .filter(([, value]) => value !== "");
  return given.length === 0 ? {} : { verification: { settings: Object.fromEntries(given) } };
}
