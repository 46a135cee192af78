"use client";

import { useState } from "react";
import { EventTypeChoice, findTypeError } from "#components/subscriptions/event-type-choice.tsx";
import { SecretOnce } from "#components/subscriptions/secret-once.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Card } from "#components/ui/layout/card.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { SignatureHeaders } from "#lib/schema/send/signature-headers.ts";

export type CreateSubscription = (
  json: string,
) => Promise<CommandResult<{ readonly id: string; readonly secret: string }>>;

type FirstSubscriptionProps = {
  readonly subscriptionCount: number;
  /** Event types to offer. */
  readonly types: readonly string[];
  readonly create: CreateSubscription;
  readonly signatureHeaders: SignatureHeaders;
};

/** Creates a subscription, as long as there is none. */
export function FirstSubscription(props: FirstSubscriptionProps) {
  const { subscriptionCount, types, create, signatureHeaders } = props;
  const [eventTypes, setEventTypes] = useState<readonly string[]>([]);
  const { result, fields, rejection, isPending, onSubmit, reset } = useCommand((form) =>
    create(JSON.stringify({ receiverUrl: String(form.get("receiverUrl")).trim(), eventTypes })),
  );
  const isCreated = result?.ok === true;
  if (subscriptionCount > 0 && !isCreated) return null;
  return (
    <Card className="grid min-w-0 grid-cols-1 gap-4 p-5">
      <h2 className="font-semibold">
        {isCreated ? "Subscription created" : "Subscribe a receiver first"}
      </h2>
      {isCreated ? (
        <SecretOnce secret={result.value.secret} headers={signatureHeaders} />
      ) : (
        <Form onSubmit={onSubmit} rejection={rejection}>
          <TextField
            label="Receiver URL"
            name="receiverUrl"
            type="url"
            autoComplete="off"
            placeholder="https://example.com/webhooks"
            hint="It gets each event as a signed POST request."
            error={fields.receiverUrl}
          />
          <EventTypeChoice
            value={eventTypes}
            onChange={(chosen) => {
              reset();
              setEventTypes(chosen);
            }}
            known={types}
            error={findTypeError(fields)}
          />
          <div>
            <Button type="submit" isBusy={isPending}>
              Create subscription
            </Button>
          </div>
        </Form>
      )}
    </Card>
  );
}
