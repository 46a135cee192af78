"use client";

import type { SavedChoice } from "#components/credentials/subscription-credential.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { readDraft } from "#components/ui/form/codec.ts";
import type { Pair } from "#components/ui/form/pairs.ts";
import { type JsonCommand, sendJson } from "#components/ui/form/send-json.ts";
import { UnsavedGuard } from "#components/ui/form/unsaved-guard.tsx";
import { useForm } from "#components/ui/form/use-form.ts";
import { type SubscriptionDraft, subscriptionFields } from "./draft/subscription-draft.ts";
import type { TallyFilter } from "./draft/use-event-tally.ts";
import type { VersionChoice } from "./event-types/version-choice.tsx";
import { SameReceiverNotice } from "./same-receiver-notice.tsx";
import { SubscriptionForm } from "./subscription-form.tsx";
import type { TransformCommands } from "./transform/use-transform-trial.ts";

type SubscriptionSettingsProps = {
  /** The stored settings. */
  readonly stored: SubscriptionDraft;
  readonly known: readonly string[];
  readonly save: JsonCommand<{ readonly firstId: string | null }>;
  readonly tallyFilter: TallyFilter;
  readonly transform: TransformCommands;
  readonly credentials: readonly SavedChoice[];
  readonly versions: VersionChoice;
};

/** All fields of a subscription, with one button that saves them. */
export function SubscriptionSettings(props: SubscriptionSettingsProps) {
  const { stored, known, save, tallyFilter, transform, credentials, versions } = props;
  const form = useForm(subscriptionFields, stored, async (input, filled) => {
    const { recipient: _recipient, secret: _secret, ...changes } = input;
    const saved = await sendJson({ ok: true, input: changes }, save);
    if (!saved.ok) return saved;
    toast("Saved. This applies from the next request on.");
    form.setDraft({ ...filled, headers: markStored(filled.headers.rows) });
    return saved;
  });
  const { draft, result, isPending } = form;
  const isDirty = toText(draft) !== toText(stored);
  return (
    <>
      <UnsavedGuard isDirty={isDirty} what="subscription" />
      <SubscriptionForm
        form={form}
        known={known}
        tallyFilter={tallyFilter}
        transform={transform}
        credentials={credentials}
        versions={versions}
        storedVersion={stored.version}
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
function toText(draft: SubscriptionDraft): string {
  return JSON.stringify(readDraft(subscriptionFields, draft));
}

/** Headers whose values are stored now, and no longer shown. */
function markStored(rows: readonly Pair[]): SubscriptionDraft["headers"] {
  const names = rows.map(({ name }) => name.trim().toLowerCase()).filter((name) => name !== "");
  return subscriptionFields.headers.text(names);
}
