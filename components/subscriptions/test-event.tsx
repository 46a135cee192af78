"use client";

import { useState, useTransition } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { NextLink } from "#components/ui/next-link.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { Notice } from "#components/ui/status/notice.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

export type SendTest = (
  subscriptionId: string,
  eventType: string | undefined,
) => Promise<CommandResult<{ readonly eventId: string }>>;

type TestEventProps = {
  readonly subscriptionId: string;
  /** Event types to offer. Empty: the API's default. */
  readonly types: readonly string[];
  readonly send: SendTest;
};

/** Sends an example event to this subscription only. */
export function TestEvent({ subscriptionId, types, send }: TestEventProps) {
  const [chosen, setChosen] = useState("");
  // Types may become known while the page is open.
  const eventType = types.includes(chosen) ? chosen : types[0];
  const [result, setResult] = useState<CommandResult<{ readonly eventId: string }>>();
  const [isPending, startTransition] = useTransition();

  const onSend = () =>
    startTransition(async () => {
      const next = await send(subscriptionId, eventType).catch(() => serverUnreachable);
      startTransition(() => setResult(next));
    });

  return (
    <div className="grid grid-cols-1 justify-items-start gap-2">
      <span data-commands="test subscription event" className="flex flex-wrap items-center gap-2">
        {types.length > 1 && (
          <select
            aria-label="Event type of the test"
            value={eventType}
            onChange={(event) => setChosen(event.target.value)}
            className="control w-auto! max-w-60 font-mono text-xs"
          >
            {types.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        )}
        <Button look="secondary" isBusy={isPending} onClick={onSend}>
          Send test event
        </Button>
      </span>
      <div aria-live="polite" className="empty:hidden">
        {result?.ok === true && (
          <Notice tone="positive">
            The test event is on its way.{" "}
            <NextLink href={`/events/${encodeURIComponent(result.value.eventId)}`}>
              View event
            </NextLink>
          </Notice>
        )}
        {result?.ok === false && <Notice tone="negative">{result.message}</Notice>}
      </div>
    </div>
  );
}
