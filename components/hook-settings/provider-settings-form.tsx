"use client";

import {
  type ProviderSetting,
  ProviderSettingFields,
  readProviderSettings,
} from "#components/providers/provider-settings.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import type { SaveHook } from "./save-hook.ts";

type ProviderSettingsFormProps = {
  readonly hookId: string;
  readonly settings: readonly ProviderSetting[];
  readonly values: Readonly<Record<string, string>>;
  readonly save: SaveHook;
};

/** The values that the provider needs in addition to the secret. */
export function ProviderSettingsForm({
  hookId,
  settings,
  values,
  save,
}: ProviderSettingsFormProps) {
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const result = await save(hookId, {
      verification: null,
      ...readProviderSettings(settings, form),
    });
    if (result.ok) toast("Saved. This applies to new deliveries.");
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <ProviderSettingFields settings={settings} values={values} fields={fields} />
      <div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          Save
        </Button>
      </div>
    </Form>
  );
}
