"use client";

import { useEffect, useRef, useState } from "react";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { ArrivedEventView } from "./arrived-event-view.ts";

const everyMs = 700;

/**
 * Reads an event until all of its receivers have answered, and again after `updates` changes.
 *
 * @param updates zero: there is nothing to read yet
 */
export function useArrivedEvent(
  read: () => Promise<CommandResult<ArrivedEventView | null>>,
  updates: number,
): ArrivedEventView | null {
  const [shown, setShown] = useState<{
    readonly updates: number;
    readonly event: ArrivedEventView;
  }>();
  const reading = useRef(read);
  reading.current = read;
  const isOutdated = shown?.updates !== updates || shown.event.isMoving;
  const isWaiting = updates > 0 && isOutdated;

  useEffect(() => {
    if (!isWaiting) return;
    let isOver = false;
    const ask = async () => {
      const result = await reading.current().catch(() => serverUnreachable);
      if (!isOver && result.ok && result.value !== null) setShown({ updates, event: result.value });
    };
    void ask();
    const timer = setInterval(() => void ask(), everyMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [isWaiting, updates]);

  return shown?.event ?? null;
}
