"use client";

import { type ReactNode, useId } from "react";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { Link } from "#components/ui/link.tsx";
import { CodeText } from "#components/ui/text/code-text.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import type { ActionDraft } from "../draft/action-draft.ts";
import { textsAt } from "../draft/action-errors.ts";
import type { EditorPart } from "./use-editor.ts";

type EditorHeadProps = EditorPart & {
  /** The commands of the saved action. */
  readonly children?: ReactNode;
};

/** The name of the action as the title of its page, whether it runs, and a link back to its hook. */
export function EditorHead({ editor, children }: EditorHeadProps) {
  const { page, state, send } = editor;
  const { hookPath, hookName } = page.source;
  const isNew = page.action.id === null;
  const isReady = useHydrated();
  const id = useId();
  const error = textsAt(editor.errors, "name")[0];
  const onChange = (change: Partial<ActionDraft>) => send({ kind: "changed", change });
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
      <div className="grid min-w-0 flex-1 basis-96 grid-cols-1 gap-1">
        <div className="flex flex-wrap items-baseline gap-x-1.5 text-sm text-muted-foreground">
          <Link href={hookPath} className="break-words underline-offset-4 hover:underline">
            {safeText(hookName)}
          </Link>
          {isNew && <span aria-hidden>/</span>}
          <h1 className={isNew ? "" : "sr-only"}>
            {isNew ? "New action" : safeText(page.action.draft.name)}
          </h1>
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <input
            form={editor.formId}
            aria-label="Name"
            name="name"
            autoComplete="off"
            // biome-ignore lint/a11y/noAutofocus: the first thing that a new action needs
            autoFocus={isNew}
            placeholder="Add the customer to the CRM"
            value={state.draft.name}
            readOnly={!isReady}
            onChange={({ target }) => onChange({ name: target.value })}
            aria-invalid={error !== undefined}
            aria-describedby={error === undefined ? undefined : id}
            className="control min-w-0 flex-1 basis-64 text-base font-semibold sm:max-w-xl"
          />
          <CheckField
            label="Enabled"
            checked={state.draft.enabled}
            disabled={!isReady}
            onChange={(enabled) => onChange({ enabled })}
          />
        </div>
        {error !== undefined && (
          <p id={id} className="text-sm text-negative">
            <CodeText text={`Name ${error}.`} />
          </p>
        )}
      </div>
      {children}
    </div>
  );
}
