"use client";

import type { ComponentProps } from "react";
import { useHydrated } from "#components/ui/use-hydrated.ts";

export type ReadyButtonProps = ComponentProps<"button">;

/**
 * An unstyled button. It can't be pressed before hydration, since the click would be lost, but
 * looks normal (`data-waiting` distinguishes this from disabled).
 */
export function ReadyButton({ disabled, ...rest }: ReadyButtonProps) {
  const isWaiting = !useHydrated();
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled === true || isWaiting}
      data-waiting={(isWaiting && disabled !== true) || undefined}
    />
  );
}
