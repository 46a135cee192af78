import { Field, FieldSelect } from "#components/ui/form/fields.tsx";
import type { FormOf } from "#components/ui/form/use-form.ts";
import { saslMechanisms } from "#lib/schema/send/receiver-settings.ts";
import { saslWords } from "./describe-receiver.ts";
import type { subscriptionFields } from "./draft/subscription-draft.ts";

/** The fields that only the chosen kind of receiver has. */
export function ReceiverFields({
  form: { of, draft },
}: {
  readonly form: FormOf<typeof subscriptionFields>;
}) {
  const { type } = draft.receiver;
  switch (type) {
    case "":
      return null;
    case "eventbridge":
      return (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            of={of("receiver", "eventBus")}
            label="Event bus"
            hint="Its name or ARN."
            placeholder="default"
            spellCheck={false}
          />
          <Field
            of={of("receiver", "source")}
            label="Source"
            hint="Rules of the bus match it."
            placeholder="catchment"
            spellCheck={false}
          />
        </div>
      );
    case "rabbitmq":
      return (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            of={of("receiver", "exchange")}
            label="Exchange"
            hint="Empty: the default one, which routes to the queue named by the routing key."
            spellCheck={false}
          />
          <Field
            of={of("receiver", "routingKey")}
            label="Routing key"
            hint="Empty: the event's type."
            placeholder="invoice.paid"
            spellCheck={false}
          />
        </div>
      );
    case "kafka":
      return (
        <div className="grid gap-4 sm:grid-cols-3">
          <Field
            of={of("receiver", "topic")}
            label="Topic"
            hint="It has to exist."
            placeholder="orders"
            spellCheck={false}
          />
          <Field
            of={of("receiver", "key")}
            label="Message key"
            hint="Empty: the recipient, whose events stay in order."
            spellCheck={false}
          />
          <FieldSelect
            of={of("receiver", "mechanism")}
            label="SASL mechanism"
            hint="How a credential logs in."
          >
            {saslMechanisms.map((mechanism) => (
              <option key={mechanism} value={mechanism}>
                {saslWords[mechanism]}
              </option>
            ))}
          </FieldSelect>
        </div>
      );
    default:
      return type satisfies never;
  }
}
