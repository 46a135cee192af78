"use client";

import { useState } from "react";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

export type ReplayableAction = {
  readonly id: string;
  readonly name: string;
  readonly method: string;
  readonly host: string;
  readonly stepCount: number;
};

type ReplayButtonProps = {
  /** Enabled actions, in order. */
  readonly actions: readonly ReplayableAction[];
  readonly replay: (actionIds: readonly string[]) => Promise<CommandResult<number>>;
};

/** Runs all or selected actions again on a delivery, after a confirmation. */
export function ReplayButton({ actions, replay }: ReplayButtonProps) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = actions.filter(({ id }) => !left.has(id));

  async function run(): Promise<CommandResult<number>> {
    const result = await replay(chosen.map(({ id }) => id));
    if (result.ok)
      toast(result.value === 1 ? "1 new run is queued." : `${result.value} new runs are queued.`);
    return result;
  }

  function choose(id: string, isChosen: boolean) {
    const next = new Set(left);
    if (isChosen) next.delete(id);
    else next.add(id);
    setLeft(next);
  }

  return (
    <ConfirmButton
      label="Replay"
      look="primary"
      title="Run actions again on this delivery?"
      keepLabel="Cancel"
      confirmLabel={chosen.length === 1 ? "Replay 1 action" : `Replay ${chosen.length} actions`}
      run={run}
    >
      <fieldset className="grid gap-2 text-foreground">
        <legend className="sr-only">Actions</legend>
        {actions.map(({ id, name, method, host, stepCount }) => (
          <CheckField
            key={id}
            checked={!left.has(id)}
            onChange={(isChosen) => choose(id, isChosen)}
            label={
              <>
                <span className="font-medium break-words">{safeText(name)}</span>{" "}
                <span className="font-mono text-xs wrap-anywhere text-muted-foreground">
                  {stepCount > 1 && `${stepCount} steps: `}
                  {method} {safeText(host)}
                </span>
              </>
            }
          />
        ))}
      </fieldset>
      <p>
        Each sends a new request with the action's current settings and a new Idempotency-Key. The
        receiver processes it as a new request. Filters still apply, but de-duplication doesn't.
        Earlier runs don't change.
      </p>
    </ConfirmButton>
  );
}
