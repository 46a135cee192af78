"use client";

import { useEffect } from "react";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

/** Tells the server that the person looks at the problems. What it didn't hear is new the next time too. */
export function MarkSeen({ see }: { see: () => Promise<CommandResult<unknown>> }) {
  useEffect(() => {
    see().catch(() => undefined);
  }, [see]);
  return null;
}
