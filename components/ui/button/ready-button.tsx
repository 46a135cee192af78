"use client";

import type { ComponentProps } from "react";
import { useHydrated } from "#components/ui/use-hydrated.ts";

export type ReadyButtonProps = ComponentProps<"button"> & {
  /** The button works without scripts, as in a search form. */
  readonly worksAlone?: boolean;
};

/**
 * An unstyled button. It can't be pressed before hydration, since the click would be lost, but
 * looks normal (`data-waiting` distinguishes this from disabled).
 */
export function ReadyButton({ worksAlone = false, disabled, ...rest }: ReadyButtonProps) {
  const isWaiting = !useHydrated() && !worksAlone;
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled === true || isWaiting}
      data-waiting={(isWaiting && disabled !== true) || undefined}
    />
  );
}
