"use client";

import type { VersionChoice } from "#components/subscriptions/event-types/version-choice.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { UnsavedGuard } from "#components/ui/form/unsaved-guard.tsx";
import { useForm } from "#components/ui/form/use-form.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import {
  type CatalogEntry,
  type PortalDraft,
  PortalSubscriptionForm,
  portalFields,
} from "./subscription-form.tsx";

export type SavedSubscription = {
  readonly isPending: boolean;
  /** The first subscription with the same new URL. Null: there is none. */
  readonly firstId: string | null;
};

type EditSubscriptionProps = {
  readonly stored: PortalDraft;
  readonly catalog: readonly CatalogEntry[];
  readonly versions: VersionChoice;
  readonly save: (patch: object) => Promise<CommandResult<SavedSubscription>>;
};

export function EditPortalSubscription(props: EditSubscriptionProps) {
  const { stored, catalog, versions, save } = props;
  const form = useForm(portalFields, stored, async (input) => {
    const saved = await save(input);
    if (saved.ok) toast(describeSaved(saved.value));
    return saved;
  });
  const { draft, isPending } = form;
  return (
    <>
      <UnsavedGuard
        isDirty={JSON.stringify(draft) !== JSON.stringify(stored)}
        what="subscription"
      />
      <PortalSubscriptionForm
        form={form}
        catalog={catalog}
        versions={versions}
        storedVersion={stored.version}
        isNew={false}
      >
        <div>
          <Button type="submit" isBusy={isPending}>
            Save changes
          </Button>
        </div>
      </PortalSubscriptionForm>
    </>
  );
}

function describeSaved({ isPending, firstId }: SavedSubscription): string {
  const saved = isPending
    ? "Saved. The new URL has to answer the challenge first."
    : "Saved. This applies from the next event on.";
  return firstId === null
    ? saved
    : `${saved} Another subscription has this URL, so it gets events that match both twice.`;
}
