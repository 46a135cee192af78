"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { SelectField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { GapEvery, GapTakeIn } from "#lib/schema/receive/gap.ts";

export type GapScheduleView = {
  readonly every: GapEvery;
  readonly takeIn: GapTakeIn;
  readonly credentialId: string | null;
};

export type SaveSchedule = (
  hookId: string,
  schedule: {
    readonly every: GapEvery;
    readonly takeIn: GapTakeIn;
    readonly credentialId?: string;
  },
) => Promise<CommandResult<null>>;

type ScheduleFormProps = {
  readonly hookId: string;
  readonly schedule: GapScheduleView;
  readonly credentials: readonly { readonly id: string; readonly name: string }[];
  readonly save: SaveSchedule;
};

const everyWords = [
  ["off", "Off"],
  ["hour", "Every hour"],
  ["day", "Every day"],
] as const;

const takeInWords = [
  ["none", "Open a problem"],
  ["run", "Take it in, and run actions"],
  ["store", "Take it in, without actions"],
] as const;

/** Lets the provider be asked by itself, and says what then happens. */
export function ScheduleForm({ hookId, schedule, credentials, save }: ScheduleFormProps) {
  const [every, setEvery] = useState(schedule.every);
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const read = (name: string) => String(form.get(name) ?? "");
    const credentialId = read("credentialId");
    const result = await save(hookId, {
      every,
      takeIn: takeInWords.find(([value]) => value === read("takeIn"))?.[0] ?? "none",
      ...(credentialId === "" ? {} : { credentialId }),
    });
    if (result.ok) toast(every === "off" ? "The schedule is off." : "Saved. A search begins soon.");
    return result;
  });
  const isOff = every === "off";
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <div className="grid gap-3 sm:grid-cols-3">
        <SelectField
          label="How often"
          name="every"
          value={every}
          onChange={({ target }) =>
            setEvery(everyWords.find(([value]) => value === target.value)?.[0] ?? "off")
          }
          error={fields.every}
        >
          {everyWords.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </SelectField>
        {!isOff && (
          <>
            <SelectField
              label="If something is missing"
              name="takeIn"
              defaultValue={schedule.takeIn}
              error={fields.takeIn}
            >
              {takeInWords.map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </SelectField>
            <SelectField
              label="Credential"
              name="credentialId"
              defaultValue={schedule.credentialId ?? credentials[0]?.id ?? ""}
              error={fields.credentialId}
            >
              {credentials.map(({ id, name }) => (
                <option key={id} value={id}>
                  {safeText(name)}
                </option>
              ))}
            </SelectField>
          </>
        )}
      </div>
      <div>
        <Button
          type="submit"
          look="secondary"
          isBusy={isPending}
          disabled={!isOff && credentials.length === 0}
        >
          Save schedule
        </Button>
      </div>
    </Form>
  );
}
