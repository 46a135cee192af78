"use client";

import type { ReactNode } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import type { ActionDraft } from "../draft/action-draft.ts";
import { textsAt } from "../draft/action-errors.ts";
import type { EditorPart } from "./use-editor.ts";

type EditorTopProps = EditorPart & {
  /** Buttons that fill the action in: at the end of the row, if there is room. */
  readonly children?: ReactNode;
};

/** The name of the action, before everything else, and whether it runs. */
export function EditorTop({ editor, children }: EditorTopProps) {
  const { page, state, send } = editor;
  const onChange = (change: Partial<ActionDraft>) => send({ kind: "changed", change });
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
        form={editor.formId}
        label="Name"
        name="name"
        autoComplete="off"
        autoFocus={page.action.id === null}
        placeholder="Add the customer to the CRM"
        value={state.draft.name}
        onChange={(event) => onChange({ name: event.target.value })}
        error={textsAt(editor.errors, "name")[0]}
      />
      <div className="sm:pt-8.5">
        <CheckField
          label="Enabled: runs for each new delivery"
          checked={state.draft.enabled}
          disabled={!isReady}
          onChange={(enabled) => onChange({ enabled })}
        />
      </div>
      {hasButtons && <div className="pt-4 sm:col-span-2 xl:col-span-1 xl:pt-7">{children}</div>}
    </div>
  );
}
