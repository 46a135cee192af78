"use client";

import { listErrors } from "#components/actions/draft/action-errors.ts";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import type { Pair } from "#components/ui/form/pairs.ts";
import { type JsonCommand, sendJson } from "#components/ui/form/send-json.ts";
import { UnsavedGuard } from "#components/ui/form/unsaved-guard.tsx";
import { useDraftCommand } from "#components/ui/form/use-draft-command.ts";
import { readSubscriptionDraft, type SubscriptionDraft } from "./draft/subscription-draft.ts";
import type { TallyFilter } from "./draft/use-event-tally.ts";
import { SameReceiverNotice } from "./same-receiver-notice.tsx";
import { SubscriptionForm } from "./subscription-form.tsx";

type SubscriptionSettingsProps = {
  /** The stored settings. */
  readonly stored: SubscriptionDraft;
  readonly known: readonly string[];
  readonly save: JsonCommand<{ readonly firstId: string | null }>;
  readonly tallyFilter: TallyFilter;
};

/** All fields of a subscription, with one button that saves them. */
export function SubscriptionSettings(props: SubscriptionSettingsProps) {
  const { stored, known, save, tallyFilter } = props;
  const form = useDraftCommand(stored, async (filled) => {
    const saved = await sendJson(readSubscriptionDraft(filled, stored), save);
    if (!saved.ok) return saved;
    toast("Saved. This applies from the next request on.");
    form.setDraft({ ...filled, headers: markStored(filled.headers) });
    return saved;
  });
  const { draft, change, result, rejection, isPending, onSubmit } = form;
  const isDirty = toText(draft, stored) !== toText(stored, stored);
  return (
    <>
      <UnsavedGuard isDirty={isDirty} what="subscription" />
      <SubscriptionForm
        draft={draft}
        onChange={change}
        onSubmit={onSubmit}
        errors={listErrors(result, undefined)}
        rejection={rejection}
        known={known}
        tallyFilter={tallyFilter}
        isNew={false}
      >
        {result?.ok === true && (
          <SameReceiverNotice
            firstId={result.value.firstId}
            settingsUrl={`/subscriptions/${result.value.firstId}/settings`}
          />
        )}
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

/** The request that saving would send, as text. */
function toText(draft: SubscriptionDraft, stored: SubscriptionDraft): string {
  return JSON.stringify(readSubscriptionDraft(draft, stored));
}

/** Marks stored headers, whose values are no longer shown. */
function markStored(headers: readonly Pair[]): readonly Pair[] {
  return headers
    .filter(({ name }) => name.trim() !== "")
    .map(({ key, name }) => ({ key, name: name.trim().toLowerCase(), value: "", isStored: true }));
}
