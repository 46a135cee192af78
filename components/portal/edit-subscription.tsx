"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { useCommand } from "#components/ui/form/use-command.ts";
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
  const [draft, setDraft] = useState(stored);
  const { fields, rejection, isPending, onSubmit, reset } = useCommand(async () => {
    const saved = await save(draft);
    if (saved.ok)
      toast(
        saved.value.isPending
          ? "Saved. The new URL has to answer the challenge first."
          : "Saved. This applies from the next event on.",
      );
    return saved;
  });
  return (
    <PortalSubscriptionForm
      draft={draft}
      onChange={(change) => {
        reset();
        setDraft((before) => ({ ...before, ...change }));
      }}
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
  );
}
