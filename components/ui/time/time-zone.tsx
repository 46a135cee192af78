"use client";

import { createContext, type ReactNode, useContext } from "react";
import { useHydrated } from "#components/ui/use-hydrated.ts";

const TimeZone = createContext<string | null>(null);

type TimeZoneProviderProps = {
  /** The zone that the user has chosen. Null: that of the browser. */
  readonly timeZone: string | null;
  readonly children: ReactNode;
};

export function TimeZoneProvider({ timeZone, children }: TimeZoneProviderProps) {
  return <TimeZone value={timeZone}>{children}</TimeZone>;
}

/**
 * The time zone of the viewer. Undefined on the server if they have chosen none: only the browser
 * knows it then.
 */
export function useTimeZone(): string | undefined {
  const chosen = useContext(TimeZone);
  const isInBrowser = useHydrated();
  if (chosen !== null) return chosen;
  return isInBrowser ? Intl.DateTimeFormat().resolvedOptions().timeZone : undefined;
}
