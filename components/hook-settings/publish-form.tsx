"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import type { SaveHook } from "./save-hook.ts";

export type HookPublishView = {
  readonly eventType: string | null;
  readonly recipientPath: string | null;
};

type PublishFormProps = {
  readonly hookId: string;
  /** Null: accepted deliveries aren't published. */
  readonly publish: HookPublishView | null;
  readonly save: SaveHook;
};

/** Chooses whether each accepted delivery becomes an event for the account's subscriptions. */
export function PublishForm({ hookId, publish, save }: PublishFormProps) {
  const [isOn, setOn] = useState(publish !== null);
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const text = (name: string) => {
      const value = String(form.get(name) ?? "").trim();
      return value === "" ? null : value;
    };
    const next = { eventType: text("eventType"), recipientPath: text("recipientPath") };
    const result = await save(hookId, { publish: isOn ? next : null });
    if (result.ok) toast("Saved. This applies to new deliveries.");
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <CheckField
        label="Publish each accepted delivery as an event"
        checked={isOn}
        onChange={setOn}
      />
      {isOn && (
        <p className="text-muted-foreground text-sm">
          The event’s data is the payload, or the payload’s own <code>data</code> if it also has an{" "}
          <code>id</code> and a <code>type</code>, as Stripe’s does.
        </p>
      )}
      {isOn && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Event type"
            name="eventType"
            autoComplete="off"
            spellCheck={false}
            placeholder="As received"
            hint="Leave it empty to use the delivery’s own type."
            defaultValue={publish?.eventType ?? ""}
            error={fields["publish.eventType"]}
          />
          <TextField
            label="Recipient"
            name="recipientPath"
            autoComplete="off"
            spellCheck={false}
            placeholder="data.customer.id"
            hint="Where the payload names it. Leave it empty for events without a recipient."
            defaultValue={publish?.recipientPath ?? ""}
            error={fields["publish.recipientPath"]}
          />
        </div>
      )}
      <div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          Save publishing
        </Button>
      </div>
    </Form>
  );
}
