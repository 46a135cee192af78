"use client";

import { useState } from "react";
import { listErrors } from "#components/actions/action-errors.ts";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import type { Pair } from "#components/ui/form/pair-fields.tsx";
import { UnsavedGuard } from "#components/ui/form/unsaved-guard.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { type SubscriptionCommand, sendSubscription } from "./draft/send-subscription.ts";
import { readSubscriptionDraft, type SubscriptionDraft } from "./draft/subscription-draft.ts";
import { SubscriptionForm } from "./subscription-form.tsx";

type SubscriptionSettingsProps = {
  /** What is stored. */
  readonly stored: SubscriptionDraft;
  readonly known: readonly string[];
  readonly save: SubscriptionCommand<null>;
};

/** All fields of a subscription, with one button that saves them. */
export function SubscriptionSettings({ stored, known, save }: SubscriptionSettingsProps) {
  const [draft, setDraft] = useState(stored);
  const { result, rejection, isPending, onSubmit, reset } = useCommand(
    async (): Promise<CommandResult<null>> => {
      const saved = await sendSubscription(draft, stored, save);
      if (!saved.ok) return saved;
      toast("Saved. This applies from the next request on.");
      setDraft({ ...draft, headers: markStored(draft.headers) });
      return saved;
    },
  );
  const isDirty = toText(draft, stored) !== toText(stored, stored);
  return (
    <>
      <UnsavedGuard isDirty={isDirty} what="subscription" />
      <SubscriptionForm
        draft={draft}
        onChange={(change) => {
          // Errors of the last try refer to the old draft.
          reset();
          setDraft((before) => ({ ...before, ...change }));
        }}
        onSubmit={onSubmit}
        errors={listErrors(result, undefined)}
        rejection={rejection}
        known={known}
        isNew={false}
      >
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" isBusy={isPending}>
            Save subscription
          </Button>
          <span aria-live="polite" className="text-sm text-muted-foreground">
            {isDirty && "Not saved yet"}
          </span>
        </div>
      </SubscriptionForm>
    </>
  );
}

/** What saving would send. */
function toText(draft: SubscriptionDraft, stored: SubscriptionDraft): string {
  return JSON.stringify(readSubscriptionDraft(draft, stored));
}

/** Their values aren't shown any more. */
function markStored(headers: readonly Pair[]): readonly Pair[] {
  return headers
    .filter(({ name }) => name.trim() !== "")
    .map(({ key, name }) => ({ key, name: name.trim().toLowerCase(), value: "", isStored: true }));
}
