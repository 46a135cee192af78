"use client";

import { CheckField } from "#components/ui/form/check-field.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import type { ActionDraft } from "../draft/action-draft.ts";

type EditorTopProps = {
  /** The form to which the name belongs. */
  readonly formId: string;
  readonly isNew: boolean;
  readonly draft: Pick<ActionDraft, "name" | "enabled">;
  readonly onChange: (change: Partial<ActionDraft>) => void;
  readonly nameError: string | undefined;
};

/** The name of the action, before everything else, and whether it runs. */
export function EditorTop({ formId, isNew, draft, onChange, nameError }: EditorTopProps) {
  const isReady = useHydrated();
  return (
    <div className="grid items-start gap-x-6 gap-y-2 sm:grid-cols-[minmax(0,32rem)_auto]">
      <TextField
        form={formId}
        label="Name"
        name="name"
        autoComplete="off"
        autoFocus={isNew}
        placeholder="Add the customer to the CRM"
        value={draft.name}
        onChange={(event) => onChange({ name: event.target.value })}
        error={nameError}
      />
      <div className="sm:pt-8.5">
        <CheckField
          label="Enabled: runs for each new delivery"
          checked={draft.enabled}
          disabled={!isReady}
          onChange={(enabled) => onChange({ enabled })}
        />
      </div>
    </div>
  );
}
