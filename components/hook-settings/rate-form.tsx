"use client";

import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import type { SaveHook } from "./save-hook.ts";

type RateFormProps = {
  readonly hookId: string;
  readonly ratePerSecond: number | null;
  /** The installation's default limit. 0: no limit. */
  readonly defaultRate: number;
  readonly save: SaveHook;
};

/** The hook's limit of requests per second. */
export function RateForm({ hookId, ratePerSecond, defaultRate, save }: RateFormProps) {
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const text = String(form.get("ratePerSecond")).trim();
    const result = await save(hookId, { ratePerSecond: text === "" ? null : Number(text) });
    if (result.ok) toast("Saved. This applies to new requests.");
    return result;
  });
  const usual = defaultRate === 0 ? "no limit" : `${defaultRate} a second`;
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <TextField
        label="Requests per second"
        name="ratePerSecond"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={ratePerSecond ?? ""}
        placeholder={defaultRate === 0 ? "No limit" : String(defaultRate)}
        hint={
          "Requests above this rate get 429 with Retry-After and are counted, not stored. " +
          `Bursts of twice the rate pass. Leave it empty for the default, ${usual}.`
        }
        error={fields.ratePerSecond}
      />
      <div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          Save rate limit
        </Button>
      </div>
    </Form>
  );
}
