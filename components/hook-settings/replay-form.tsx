"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import type { SaveHook } from "./save-hook.ts";

export type ReplayView = {
  readonly isPossible: boolean;
  readonly isOn: boolean;
  /** The default of the provider, and its reason. */
  readonly isOnByDefault: boolean;
  readonly why: string;
  readonly providerName: string;
};

type ReplayFormProps = {
  readonly hookId: string;
  readonly replay: ReplayView;
  readonly save: SaveHook;
};

/** Chooses whether signed bytes that arrive again are a duplicate, whatever their event id. */
export function ReplayForm({ hookId, replay, save }: ReplayFormProps) {
  const { isPossible, isOnByDefault, why, providerName } = replay;
  const [isOn, setIsOn] = useState(replay.isOn);
  const { rejection, isPending, onSubmit } = useCommand(async () => {
    const result = await save(hookId, { replayProtection: isOn });
    if (result.ok) toast("Saved. This applies to new deliveries.");
    return result;
  });
  if (!isPossible) {
    return (
      <div className="grid gap-1 text-sm">
        <h3 className="font-medium">Replay protection</h3>
        <p className="text-muted-foreground">
          Not available for {providerName}, because {why}.
        </p>
      </div>
    );
  }
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <div className="grid gap-1">
        <CheckField
          label={<span className="font-medium">Replay protection</span>}
          checked={isOn}
          onChange={setIsOn}
        />
        <p className="text-sm text-muted-foreground">
          Someone who captured a delivery can send it again under another id. With replay
          protection, the same signed content is a duplicate, whatever its id.
        </p>
        <p className="text-sm text-muted-foreground">
          {isOnByDefault
            ? `On by default for ${providerName}, because ${why}.`
            : `Off by default for ${providerName}, because ${why}. Turn it on only if no ` +
              "two of your events are identical: the second would run nothing."}
        </p>
      </div>
      <div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          Save replay protection
        </Button>
      </div>
    </Form>
  );
}
