"use client";

import { useOptimistic, useTransition } from "react";
import { useAllowed } from "#components/permissions/role.tsx";
import { ManagedMark } from "#components/status/managed-mark.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { announce, toast } from "#components/ui/feedback/toast.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { ActionHealth, type ActionHealthView, ActionState } from "./action-health.tsx";
import { type ActionCommands, ActionRowMenu } from "./action-row-menu.tsx";
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

type ActionListProps = ActionCommands & {
  readonly actions: readonly ActionRowView[];
  readonly nowMs: number;
  readonly order: (actionIds: readonly string[]) => Promise<CommandResult<null>>;
};

/** The actions of a hook, in order. */
export function ActionList({ actions, nowMs, order, ...commands }: ActionListProps) {
  const verb = useAllowed("hooks:write") ? "Edit" : "View";
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
            <div className="flex items-center gap-1">
              <Link
                href={`/actions/${action.id}`}
                aria-label={`${verb} ${safeText(action.name)}`}
                className={buttonClasses("secondary")}
              >
                {verb}
              </Link>
              <ActionRowMenu
                action={action}
                moveUp={at === 0 ? null : () => move(at, -1)}
                moveDown={at === shown.length - 1 ? null : () => move(at, 1)}
                {...commands}
              />
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
        <ManagedMark kind="action" id={id} />
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
