"use client";

import { useState, useTransition } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { CopyButton } from "#components/ui/button/copy-button.tsx";
import { SelectField } from "#components/ui/form/field.tsx";
import { Link } from "#components/ui/link.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { Notice } from "#components/ui/status/notice.tsx";
import { useCopy } from "#components/ui/use-copy.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { describeSpan } from "#lib/schema/field/describe-span.ts";

type Sent = {
  readonly deliveryId: string | null;
  readonly eventType: string;
  readonly response: { readonly status: number; readonly body: string };
  readonly note: string | null;
};
type Shown = {
  readonly command: string | null;
  readonly validForSeconds: number | null;
  readonly placeholder: string | null;
};

type TestCommands = {
  readonly send: (hookId: string, eventType?: string) => Promise<CommandResult<Sent>>;
  readonly show: (hookId: string, eventType?: string) => Promise<CommandResult<Shown>>;
};

type SendTestEventProps = TestCommands & {
  readonly hookId: string;
  /** Event types, most common first. Empty: there is only one, without a name. */
  readonly eventTypes: readonly string[];
};

type Outcome =
  | { readonly kind: "sent"; readonly sent: Sent }
  | { readonly kind: "shown"; readonly shown: Shown }
  | { readonly kind: "failed"; readonly message: string };

/**
 * Sends a signed event through the catch URL as the provider would, or shows the shell command for
 * it.
 */
export function SendTestEvent({ hookId, eventTypes, send, show }: SendTestEventProps) {
  const [eventType, setEventType] = useState(eventTypes[0]);
  const [outcome, setOutcome] = useState<Outcome>();
  const [isSending, startSending] = useTransition();
  const [isShowing, startShowing] = useTransition();
  const { outcome: copied, copy } = useCopy();

  const onSend = () =>
    startSending(async () => {
      const result = await send(hookId, eventType).catch(() => serverUnreachable);
      startSending(() =>
        setOutcome(
          result.ok ? { kind: "sent", sent: result.value } : { kind: "failed", ...result },
        ),
      );
    });
  const onShow = () =>
    startShowing(async () => {
      const result = await show(hookId, eventType).catch(() => serverUnreachable);
      startShowing(() =>
        setOutcome(
          result.ok ? { kind: "shown", shown: result.value } : { kind: "failed", ...result },
        ),
      );
      if (result.ok && result.value.command !== null) await copy(result.value.command);
    });

  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-end gap-2">
        {eventTypes.length > 1 && (
          <div className="w-64 max-w-full min-w-0">
            <SelectField
              label="Event"
              name="eventType"
              value={eventType}
              onChange={(event) => setEventType(event.target.value)}
            >
              {eventTypes.map((type) => (
                <option key={type}>{type}</option>
              ))}
            </SelectField>
          </div>
        )}
        <span data-commands="test hook event" className="flex flex-wrap gap-2">
          <Button look="secondary" isBusy={isSending} onClick={onSend}>
            Send a sample
          </Button>
          <Button look="quiet" isBusy={isShowing} onClick={onShow}>
            {copied === "copied" ? "Copied" : "Copy as curl"}
          </Button>
        </span>
      </div>
      <div aria-live="polite" className="empty:hidden">
        {outcome !== undefined && <OutcomeNote outcome={outcome} />}
      </div>
    </div>
  );
}

function OutcomeNote({ outcome }: { outcome: Outcome }) {
  switch (outcome.kind) {
    case "failed":
      return <Notice tone="caution">{outcome.message}</Notice>;
    case "sent":
      return <SentNote sent={outcome.sent} />;
    case "shown":
      return <ShownCommand shown={outcome.shown} />;
    default:
      return outcome satisfies never;
  }
}

function SentNote({ sent: { deliveryId, eventType, response, note } }: { sent: Sent }) {
  const isTaken = response.status < 300;
  return (
    <Notice tone={isTaken ? "positive" : "negative"}>
      <p>
        {isTaken
          ? `${eventType} was sent and accepted.`
          : `${eventType} was rejected with ${response.status}.`}{" "}
        {deliveryId !== null && (
          <Link
            href={`/deliveries/${deliveryId}`}
            className="font-medium underline underline-offset-4"
          >
            {isTaken ? "View delivery" : "Find out why"}
          </Link>
        )}
      </p>
      {note !== null && <p>{note}</p>}
      {!isTaken && deliveryId === null && (
        <p className="font-mono text-xs wrap-anywhere">{response.body}</p>
      )}
    </Notice>
  );
}

function ShownCommand({ shown: { command, validForSeconds, placeholder } }: { shown: Shown }) {
  if (command === null)
    return <Notice>This sample is too large for a command line. Send it from here.</Notice>;
  return (
    <div className="grid grid-cols-1 gap-2">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it
        tabIndex={0}
        className={
          "max-h-48 overflow-auto rounded-md bg-muted px-3 py-2 font-mono text-xs " +
          "whitespace-pre-wrap wrap-anywhere"
        }
      >
        {command}
      </pre>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-muted-foreground">
        <CopyButton text={command} what="the command" />
        <span>
          {placeholder !== null && `Replace ${placeholder} with the secret. `}
          {validForSeconds !== null &&
            `Its time is signed: it works for ${describeSpan(validForSeconds)}.`}
        </span>
      </div>
    </div>
  );
}
