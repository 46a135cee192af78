"use client";

import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { UnsavedGuard } from "#components/ui/form/unsaved-guard.tsx";
import { useDraftCommand } from "#components/ui/form/use-draft-command.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import {
  type CatalogEntry,
  type PortalDraft,
  PortalSubscriptionForm,
} from "./subscription-form.tsx";

type EditSubscriptionProps = {
  readonly stored: PortalDraft;
  readonly catalog: readonly CatalogEntry[];
  readonly save: (patch: object) => Promise<CommandResult<{ readonly isPending: boolean }>>;
};

export function EditPortalSubscription({ stored, catalog, save }: EditSubscriptionProps) {
  const form = useDraftCommand(stored, async (filled) => {
    const saved = await save(filled);
    if (saved.ok)
      toast(
        saved.value.isPending
          ? "Saved. The new URL has to answer the challenge first."
          : "Saved. This applies from the next event on.",
      );
    return saved;
  });
  const { draft, change, fields, rejection, isPending, onSubmit } = form;
  return (
    <>
      <UnsavedGuard
        isDirty={JSON.stringify(draft) !== JSON.stringify(stored)}
        what="subscription"
      />
      <PortalSubscriptionForm
        draft={draft}
        onChange={change}
        catalog={catalog}
        onSubmit={onSubmit}
        fields={fields}
        rejection={rejection}
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
