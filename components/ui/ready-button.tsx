"use client";

import type { ComponentProps } from "react";
import { useHydrated } from "./use-hydrated.ts";

export type ReadyButtonProps = ComponentProps<"button"> & {
  /** The browser does its work without our scripts, as with the form of a search. */
  readonly worksAlone?: boolean;
};

/**
 * A button without looks. Until React has taken the page over a click would be lost: so long it can't be pressed, though
 * it looks as if it could (`data-waiting` tells it from one that is disabled).
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
