import { Card } from "#components/ui/layout/card.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { AlertEvent, AlertState } from "#lib/schema/watch/alert.ts";
import { alertStateWords, eventWords } from "./problem-words.ts";

type MessageView = {
  readonly id: string;
  readonly channelName: string;
  readonly event: AlertEvent;
  readonly state: AlertState;
  readonly createdAt: Date;
  readonly dueAt: Date;
  readonly attempts: readonly {
    readonly number: number;
    readonly startedAt: Date;
    readonly durationMs: number | null;
    readonly message: string | null;
  }[];
};

type Props = { readonly messages: readonly MessageView[]; readonly nowMs: number };

/** The messages about a problem, and how each try went. */
export function ProblemMessages({ messages, nowMs }: Props) {
  return (
    <section className="grid grid-cols-1 gap-3" aria-labelledby="messages">
      <h2 id="messages" className="text-lg font-semibold tracking-tight">
        Messages
      </h2>
      {messages.length === 0 ? (
        <p className="text-sm text-muted-foreground">
          No one was told. Alert rules decide which problems are worth a message.
        </p>
      ) : (
        <Card>
          <ul className="divide-y" aria-label="Messages">
            {messages.map((message) => (
              <Message key={message.id} message={message} nowMs={nowMs} />
            ))}
          </ul>
        </Card>
      )}
    </section>
  );
}

function Message({ message, nowMs }: { message: MessageView; nowMs: number }) {
  const { channelName, event, state, createdAt, dueAt, attempts } = message;
  return (
    <li className="grid gap-1 px-4 py-2.5 text-sm">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{eventWords[event]}</span>
        <span className="min-w-0 break-words text-muted-foreground">{safeText(channelName)}</span>
        <Badge tone={alertStateWords[state].tone}>{alertStateWords[state].name}</Badge>
        <span className="ml-auto text-muted-foreground">
          {state === "held" ? "until " : ""}
          <RelativeTime at={state === "held" ? dueAt : createdAt} nowMs={nowMs} />
        </span>
      </span>
      {attempts.map((attempt) => (
        <span key={attempt.number} className="break-words text-muted-foreground">
          Attempt {attempt.number}:{" "}
          {safeText(attempt.message ?? "Not known yet, or its worker was stopped.")}
          {attempt.durationMs !== null && ` ${attempt.durationMs.toLocaleString("en")} ms`}
        </span>
      ))}
    </li>
  );
}
