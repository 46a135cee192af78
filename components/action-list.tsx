import Link from "next/link";
import type { CommandResult } from "#lib/schema/command-result.ts";
import { Badge } from "./ui/badge.tsx";
import { Card } from "./ui/card.tsx";
import { CommandButton } from "./ui/command-button.tsx";
import { ConfirmButton } from "./ui/confirm-button.tsx";
import { safeText } from "./ui/safe-text.ts";

export type ActionRowView = {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly method: string;
  readonly url: string;
};

type ActionListProps = {
  readonly actions: readonly ActionRowView[];
  readonly setEnabled: (actionId: string, enabled: boolean) => Promise<CommandResult<null>>;
  readonly deleteAction: (actionId: string) => Promise<CommandResult<null>>;
};

/** The calls that each new delivery makes. */
export function ActionList({ actions, setEnabled, deleteAction }: ActionListProps) {
  return (
    <Card>
      <ul className="divide-y">
        {actions.map(({ id, name, enabled, method, url }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3">
            <div className="grid min-w-0 flex-1 basis-64 gap-1">
              <div className="flex flex-wrap items-center gap-2">
                <Link
                  href={`/actions/${id}`}
                  className="font-medium break-words underline-offset-4 hover:underline"
                >
                  {safeText(name)}
                </Link>
                <Badge tone={enabled ? "positive" : "neutral"}>{enabled ? "On" : "Off"}</Badge>
              </div>
              <p className="truncate font-mono text-xs text-muted-foreground" title={safeText(url)}>
                {method} {safeText(url)}
              </p>
            </div>
            <div className="flex flex-wrap gap-2">
              <CommandButton
                ariaLabel={`${enabled ? "Switch off" : "Switch on"} ${name}`}
                run={setEnabled.bind(null, id, !enabled)}
              >
                {enabled ? "Switch off" : "Switch on"}
              </CommandButton>
              <ConfirmButton
                label="Delete"
                ariaLabel={`Delete ${name}`}
                title={`Delete “${name}”?`}
                keepLabel="Keep it"
                confirmLabel="Delete action"
                run={deleteAction.bind(null, id)}
              >
                <p>
                  Its calls that have not been made yet are cancelled, and its credentials are gone for good.
                </p>
              </ConfirmButton>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
