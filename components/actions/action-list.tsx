"use client";

import { ArrowDown, ArrowUp } from "lucide-react";
import Link from "next/link";
import { useOptimistic, useTransition } from "react";
import { IconButton } from "#components/ui/button/icon-button.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { announce, toast } from "#components/ui/feedback/toast.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { ActionHealth, type ActionHealthView, ActionState } from "./action-health.tsx";
import { DraftMark } from "./draft-mark.tsx";

export type ActionRowView = {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly method: string;
  readonly url: string;
  readonly stepCount: number;
  /** The health of the last 24 hours. Null if the action made no calls. */
  readonly health: ActionHealthView | null;
  /** When the viewer last edited their draft of it. Null: there is none. */
  readonly draftEditedAt: Date | null;
};

type ActionListProps = {
  readonly actions: readonly ActionRowView[];
  readonly nowMs: number;
  readonly setEnabled: (actionId: string, enabled: boolean) => Promise<CommandResult<null>>;
  readonly deleteAction: (actionId: string) => Promise<CommandResult<null>>;
  readonly order: (actionIds: readonly string[]) => Promise<CommandResult<null>>;
};

/** The actions of a hook, in order. */
export function ActionList({ actions, nowMs, setEnabled, deleteAction, order }: ActionListProps) {
  const [shown, setShown] = useOptimistic(actions);
  const [, startTransition] = useTransition();

  function move(at: number, by: 1 | -1) {
    const moved = [...shown];
    const [action] = moved.splice(at, 1);
    if (action === undefined) return;
    moved.splice(at + by, 0, action);
    announce(`${safeText(action.name)} is now number ${at + by + 1}.`);
    startTransition(async () => {
      setShown(moved);
      const result = await order(moved.map(({ id }) => id)).catch(() => serverUnreachable);
      if (!result.ok) toast(result.message, { tone: "negative" });
    });
  }

  return (
    <Card>
      <ul className="divide-y">
        {shown.map((action, at) => (
          <li key={action.id} className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3">
            <ActionName action={action} nowMs={nowMs} />
            <div className="flex flex-wrap items-start gap-2">
              {shown.length > 1 && (
                <span className="inline-flex">
                  <IconButton
                    label={`Move ${safeText(action.name)} up`}
                    disabled={at === 0}
                    onClick={() => move(at, -1)}
                  >
                    <ArrowUp aria-hidden size={16} />
                  </IconButton>
                  <IconButton
                    label={`Move ${safeText(action.name)} down`}
                    disabled={at === shown.length - 1}
                    onClick={() => move(at, 1)}
                  >
                    <ArrowDown aria-hidden size={16} />
                  </IconButton>
                </span>
              )}
              <CommandButton
                ariaLabel={`${action.enabled ? "Disable" : "Enable"} ${safeText(action.name)}`}
                done={
                  `“${safeText(action.name)}” is ` +
                  `${action.enabled ? "disabled. New deliveries don't run it." : "enabled."}`
                }
                undo={setEnabled.bind(null, action.id, action.enabled)}
                run={setEnabled.bind(null, action.id, !action.enabled)}
              >
                {action.enabled ? "Disable" : "Enable"}
              </CommandButton>
              <ConfirmButton
                label="Delete"
                ariaLabel={`Delete ${safeText(action.name)}`}
                title={`Delete “${safeText(action.name)}”?`}
                keepLabel="Cancel"
                confirmLabel="Delete action"
                run={deleteAction.bind(null, action.id)}
              >
                <p>Pending requests are cancelled and its credentials are permanently deleted.</p>
              </ConfirmButton>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function ActionName({ action, nowMs }: { action: ActionRowView; nowMs: number }) {
  const { id, name, enabled, method, url, stepCount, health, draftEditedAt } = action;
  return (
    <div className="grid min-w-0 flex-1 basis-64 grid-cols-1 gap-1">
      <div className="flex flex-wrap items-center gap-2">
        <Link
          href={`/actions/${id}`}
          className="min-w-0 font-medium break-words underline-offset-4 hover:underline"
        >
          {safeText(name)}
        </Link>
        <ActionState enabled={enabled} health={health} />
        {draftEditedAt !== null && (
          <DraftMark href={`/actions/${id}`} editedAt={draftEditedAt} nowMs={nowMs} />
        )}
      </div>
      <p className="truncate font-mono text-xs text-muted-foreground" title={safeText(url)}>
        {stepCount > 1 && `${stepCount} steps: `}
        {method} {safeText(url)}
      </p>
      <ActionHealth actionId={id} health={health} nowMs={nowMs} />
    </div>
  );
}
