"use client";

import { useState } from "react";
import { Card } from "#components/ui/layout/card.tsx";
import type { SignatureHeaders } from "#lib/schema/send/signature-headers.ts";
import { ArrivedEvent, type ReadArrived } from "./arrived-event.tsx";
import type { EventDraft } from "./event-draft.ts";
import { type CreateSubscription, FirstSubscription } from "./first-subscription.tsx";
import { type CreateToken, PublishCommand } from "./publish-command.tsx";
import { type SendEventCommands, SendEventForm } from "./send-event-form.tsx";

type SendEventProps = SendEventCommands & {
  /** A draft that reaches a subscription, if there is one. */
  readonly draft: EventDraft;
  readonly types: readonly string[];
  readonly recipients: readonly { readonly id: string; readonly name: string | null }[];
  readonly publishUrl: string;
  readonly subscriptionCount: number;
  /** The newest event before this page. Empty: none. */
  readonly afterId: string;
  readonly createSubscription: CreateSubscription;
  readonly signatureHeaders: SignatureHeaders;
  readonly createToken: CreateToken;
  readonly readArrived: ReadArrived;
};

/** Sends an event from here, and shows the API call that does the same. */
export function SendEvent(props: SendEventProps) {
  const { publishUrl, subscriptionCount, createSubscription, createToken } = props;
  const [draft, setDraft] = useState(props.draft);
  const [afterId, setAfterId] = useState(props.afterId);
  return (
    <div className="grid max-w-3xl min-w-0 grid-cols-1 gap-6">
      <FirstSubscription
        subscriptionCount={subscriptionCount}
        types={props.types}
        create={createSubscription}
        signatureHeaders={props.signatureHeaders}
      />
      <Card className="min-w-0 p-5">
        <SendEventForm
          {...props}
          draft={draft}
          onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
          onSent={setAfterId}
        />
      </Card>
      <Card className="grid min-w-0 grid-cols-1 gap-4 p-5">
        <div className="grid gap-1">
          <h2 className="font-semibold">From your server</h2>
          <p className="text-sm text-muted-foreground">
            The API call that sends the same event. Try it from a terminal.
          </p>
        </div>
        <PublishCommand publishUrl={publishUrl} draft={draft} createToken={createToken} />
        <ArrivedEvent key={afterId} afterId={afterId} read={props.readArrived} />
      </Card>
    </div>
  );
}
