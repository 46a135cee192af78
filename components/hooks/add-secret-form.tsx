"use client";

import {
  type ProviderSetting,
  ProviderSettingFields,
  readProviderSettings,
} from "#components/providers/provider-settings.tsx";
import { SecretField } from "#components/providers/secret-field.tsx";
import type { SecretShape } from "#components/providers/secret-hints.ts";
import { Button } from "#components/ui/button/button.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

/** The part that a hook lacks. Until it is added, nothing can be verified. */
export type MissingProof = {
  readonly asksSecret: boolean;
  readonly secretHelp: string | null;
  readonly secretShape: SecretShape | null;
  readonly settings: readonly ProviderSetting[];
  readonly settingValues: Readonly<Record<string, string>>;
};

type AddedProof = { readonly secret?: string; readonly verification?: unknown };
export type AddSecret = (hookId: string, proof: AddedProof) => Promise<CommandResult<null>>;

type AddSecretFormProps = {
  readonly hookId: string;
  readonly missing: MissingProof;
  readonly addSecret: AddSecret;
};

/** A form for providers that show their signing secret only after they have the catch URL. */
export function AddSecretForm({ hookId, missing, addSecret }: AddSecretFormProps) {
  const { asksSecret, secretHelp, secretShape, settings, settingValues } = missing;
  const { fields, rejection, isPending, onSubmit } = useCommand((form) =>
    addSecret(hookId, {
      ...(asksSecret ? { secret: String(form.get("secret")) } : {}),
      ...readProviderSettings(settings, form),
    }),
  );
  return (
    <Form onSubmit={onSubmit} rejection={rejection} className="gap-3">
      <ProviderSettingFields settings={settings} values={settingValues} fields={fields} />
      {asksSecret && (
        <SecretField name="secret" help={secretHelp} shape={secretShape} error={fields.secret} />
      )}
      <div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          {asksSecret ? "Add secret" : "Save"}
        </Button>
      </div>
    </Form>
  );
}
