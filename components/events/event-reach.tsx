"use client";

import { CircleAlert, CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "#components/ui/link.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { CodeText } from "#components/ui/text/code-text.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { useLatestResponse } from "#components/ui/use-latest.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { nameReceiver } from "#lib/schema/send/name-receiver.ts";
import { type EventDraft, writeEventBody } from "./event-draft.ts";

type EventPreviewView = {
  readonly hasSchema: boolean;
  /** The difference between the data and the schema: "`amount` must be integer". */
  readonly mismatch: string | null;
  /** True if such an event is rejected. */
  readonly isRejected: boolean;
  /** The first of the subscriptions that it reaches. */
  readonly subscriptions: readonly {
    readonly id: string;
    readonly receiverUrl: string;
    readonly description: string | null;
  }[];
  readonly count: number;
  /** The reason why it reaches no one. */
  readonly problem: string | null;
  /** A recipient that it would reach. Omitted: none, or it has to be without one. */
  readonly elsewhere?: string | undefined;
};

/** Tells what the body of `POST /events` would do. */
export type PreviewEvent = (body: string) => Promise<CommandResult<EventPreviewView>>;

type EventReachProps = {
  readonly draft: EventDraft;
  readonly preview: PreviewEvent;
  readonly subscriptionCount: number;
  readonly onUseRecipient: (recipient: string) => void;
};

const pauseMs = 300;

/** The event's schema check and its reach, updated shortly after the last keystroke. */
export function EventReach({ draft, preview, subscriptionCount, onUseRecipient }: EventReachProps) {
  const written = writeEventBody(draft);
  const question = written.ok ? JSON.stringify([subscriptionCount, written.body]) : null;
  const result = useLatestResponse(question, pauseMs, (text) =>
    preview(JSON.parse(text)[1]).catch(() => serverUnreachable),
  );
  if (result?.ok !== true) return <div className="min-h-12" />;
  const { value } = result;
  return (
    <div role="status" className="grid min-h-12 content-start gap-1.5 text-sm">
      <SchemaLine {...value} />
      {value.problem === null ? (
        <Line isGood>
          Reaches {describeCount(value.count, "subscription")}: <Subscriptions {...value} />
        </Line>
      ) : (
        <Line>
          No subscription matches: {safeText(value.problem)}{" "}
          {value.elsewhere !== undefined && (
            <button
              type="button"
              className="font-medium underline underline-offset-4"
              onClick={() => onUseRecipient(value.elsewhere ?? "")}
            >
              Send to {safeText(value.elsewhere)}
            </button>
          )}
        </Line>
      )}
    </div>
  );
}

function SchemaLine({ hasSchema, mismatch, isRejected }: EventPreviewView) {
  if (!hasSchema) return <Line isGood>Any data is fine: its type has no schema.</Line>;
  if (mismatch === null) return <Line isGood>Matches the schema of its type.</Line>;
  return (
    <Line>
      <CodeText text={mismatch} />. {isRejected ? "It is rejected." : "It is sent with a warning."}
    </Line>
  );
}

function Line({ isGood = false, children }: { isGood?: boolean; children: ReactNode }) {
  const props = { "aria-hidden": true, size: 16 } as const;
  return (
    <p className="flex items-start gap-2">
      {isGood ? (
        <CircleCheck {...props} className="mt-0.5 shrink-0 text-positive" />
      ) : (
        <CircleAlert {...props} className="mt-0.5 shrink-0 text-caution" />
      )}
      <span className="min-w-0 break-words">{children}</span>
    </p>
  );
}

function Subscriptions({ subscriptions, count }: EventPreviewView) {
  return (
    <>
      {subscriptions.map((subscription, at) => (
        <span key={subscription.id}>
          {at > 0 && ", "}
          <Link href={`/subscriptions/${subscription.id}`} className="underline underline-offset-4">
            {safeText(nameReceiver(subscription.receiverUrl))}
          </Link>
        </span>
      ))}
      {count > subscriptions.length &&
        `, and ${(count - subscriptions.length).toLocaleString("en")} more`}
      .
    </>
  );
}
