"use client";

import type { ReactNode } from "react";
import { classNames } from "#components/ui/class-names.ts";
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
  /** Buttons that fill the action in: at the end of the row, if there is room. */
  readonly children?: ReactNode;
};

/** The name of the action, before everything else, and whether it runs. */
export function EditorTop(props: EditorTopProps) {
  const { formId, isNew, draft, onChange, nameError, children } = props;
  const isReady = useHydrated();
  const hasButtons = Boolean(children);
  return (
    <div
      className={classNames(
        "grid items-start gap-x-6 gap-y-2 sm:grid-cols-[minmax(0,32rem)_auto]",
        hasButtons && "xl:grid-cols-[minmax(0,1fr)_auto_auto]",
      )}
    >
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
      {hasButtons && <div className="pt-4 sm:col-span-2 xl:col-span-1 xl:pt-7">{children}</div>}
    </div>
  );
}
