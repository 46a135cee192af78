"use client";

import { ExportMenu } from "#components/lists/export-menu.tsx";
import {
  type ChangeSelected,
  SelectedButton,
} from "#components/lists/selection/selected-button.tsx";
import { SelectionBar } from "#components/lists/selection/selection-bar.tsx";

export type SelectedCommands = {
  readonly retry: ChangeSelected;
  readonly replay: ChangeSelected;
  readonly accept: ChangeSelected;
};

const words = { one: "delivery", many: "deliveries" } as const;

/** The commands for the selected deliveries. */
export function SelectedDeliveries({ retry, replay, accept }: SelectedCommands) {
  return (
    <SelectionBar {...words}>
      {(idsFor) => (
        <>
          <SelectedButton
            {...words}
            ids={idsFor("retry")}
            verb="Retry"
            done="queued again"
            text="Retries their failed runs, with the same Idempotency-Key and all attempts of the action."
            change={retry}
          />
          <SelectedButton
            {...words}
            ids={idsFor("replay")}
            verb="Replay"
            done="queued again"
            text="Runs the enabled actions of their hooks again, with the current settings and new Idempotency-Keys."
            change={replay}
          />
          <SelectedButton
            {...words}
            ids={idsFor("accept")}
            verb="Accept"
            done="accepted"
            text="Verifies them again with their hooks' current settings. Those that verify are accepted and run."
            change={accept}
          />
          <ExportMenu list="deliveries" values={{ ids: idsFor().join(",") }} />
        </>
      )}
    </SelectionBar>
  );
}
