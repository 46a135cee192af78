"use client";

import { ExportMenu } from "#components/lists/export-menu.tsx";
import {
  type ChangeSelected,
  SelectedButton,
} from "#components/lists/selection/selected-button.tsx";
import type { IdsFor } from "#components/lists/selection/selection-bar.tsx";

export type SelectedRunCommands = {
  readonly retry: ChangeSelected;
  readonly cancel: ChangeSelected;
};

const words = { one: "run", many: "runs" } as const;

type SelectedRunButtonsProps = SelectedRunCommands & { readonly idsFor: IdsFor };

export function SelectedRunButtons({ idsFor, retry, cancel }: SelectedRunButtonsProps) {
  return (
    <>
      <SelectedButton
        {...words}
        ids={idsFor("retry")}
        verb="Retry"
        done="queued again"
        text="Retries them now, with the same Idempotency-Key and all attempts of their actions."
        change={retry}
      />
      <SelectedButton
        {...words}
        ids={idsFor("cancel")}
        verb="Cancel"
        done="canceled"
        text="They make no further attempts. Requests in progress continue."
        back="Go back"
        isDanger
        change={cancel}
      />
      <ExportMenu list="runs" values={{ ids: idsFor().join(",") }} />
    </>
  );
}
