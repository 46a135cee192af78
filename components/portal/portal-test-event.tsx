"use client";

import { useState } from "react";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type PortalTestEventProps = {
  /** Event types to offer. Empty: Catchment's own type. */
  readonly types: readonly string[];
  readonly send: (eventType: string) => Promise<CommandResult<unknown>>;
};

/** Sends an example event to this subscription only. */
export function PortalTestEvent({ types, send }: PortalTestEventProps) {
  const [eventType, setEventType] = useState(types[0] ?? "");
  return (
    <span className="flex flex-wrap items-start gap-2">
      {types.length > 1 && (
        <select
          aria-label="Event type of the test"
          value={eventType}
          onChange={(event) => setEventType(event.target.value)}
          className="control w-auto! max-w-52 font-mono text-xs"
        >
          {types.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </select>
      )}
      <CommandButton done="The test event is on its way." run={() => send(eventType)}>
        Send test event
      </CommandButton>
    </span>
  );
}
