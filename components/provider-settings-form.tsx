"use client";

import { type ProviderSetting, ProviderSettingFields, readProviderSettings } from "./provider-settings.tsx";
import type { SaveHook } from "./save-hook.ts";
import { Button } from "./ui/button.tsx";
import { Form } from "./ui/form.tsx";
import { toast } from "./ui/toast.ts";
import { useCommand } from "./use-command.ts";

type ProviderSettingsFormProps = {
  readonly hookId: string;
  readonly settings: readonly ProviderSetting[];
  readonly values: Readonly<Record<string, string>>;
  readonly save: SaveHook;
};

/** What the sender needs beside the secret. */
export function ProviderSettingsForm({ hookId, settings, values, save }: ProviderSettingsFormProps) {
  const { fields, message, isPending, onSubmit } = useCommand(async (form) => {
    const result = await save(hookId, { verification: null, ...readProviderSettings(settings, form) });
    if (result.ok) toast("Saved. It holds for what arrives from now on.");
    return result;
  });
  return (
    <Form onSubmit={onSubmit} message={message}>
      <ProviderSettingFields settings={settings} values={values} fields={fields} />
      <div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          Save
        </Button>
      </div>
    </Form>
  );
}
