"use client";

import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import type { SaveHook } from "./save-hook.ts";

type ToleranceFormProps = {
  readonly hookId: string;
  readonly toleranceSeconds: number | null;
  /** The provider's default. */
  readonly defaultSeconds: number;
  readonly save: SaveHook;
};

/** The maximum age of a signed delivery. */
export function ToleranceForm({
  hookId,
  toleranceSeconds,
  defaultSeconds,
  save,
}: ToleranceFormProps) {
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const text = String(form.get("toleranceSeconds")).trim();
    const result = await save(hookId, { toleranceSeconds: text === "" ? null : Number(text) });
    if (result.ok) toast("Saved. This applies to new deliveries.");
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <TextField
        label="Time window, in seconds"
        name="toleranceSeconds"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={toleranceSeconds ?? ""}
        placeholder={String(defaultSeconds)}
        hint={
          "How far the signed time may be from this server’s clock. Leave it " +
          `empty for the default, ${defaultSeconds} s. A wide window lets a ` +
          "captured delivery be sent again for longer."
        }
        error={fields.toleranceSeconds}
      />
      <div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          Save time window
        </Button>
      </div>
    </Form>
  );
}
