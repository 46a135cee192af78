"use client";

import {
  EventTypeChoice,
  findTypeError,
} from "#components/subscriptions/event-types/event-type-choice.tsx";
import { SecretOnce } from "#components/subscriptions/secret-once.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { asIs, plainText } from "#components/ui/form/codec.ts";
import { Field } from "#components/ui/form/fields.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useForm } from "#components/ui/form/use-form.ts";
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

const firstFields = { receiverUrl: plainText, eventTypes: asIs<readonly string[]>() };

/** Creates a subscription, as long as there is none. */
export function FirstSubscription(props: FirstSubscriptionProps) {
  const { subscriptionCount, types, create, signatureHeaders } = props;
  const { of, fields, result, rejection, isPending, onSubmit } = useForm(
    firstFields,
    { receiverUrl: "", eventTypes: [] },
    (input) => create(JSON.stringify(input)),
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
          <Field
            of={of("receiverUrl")}
            label="Receiver URL"
            type="url"
            placeholder="https://example.com/webhooks"
            hint="It gets each event as a signed POST request."
          />
          <EventTypeChoice {...of("eventTypes")} known={types} error={findTypeError(fields)} />
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
