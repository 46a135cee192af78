"use client";

import { optionalText, switched } from "#components/ui/form/codec.ts";
import { Field, FieldCheck, FieldSelect } from "#components/ui/form/fields.tsx";
import type { SaveHook } from "./save-hook.ts";
import { Section, SectionForm } from "./section.tsx";
import { useSection } from "./use-section.ts";

type PublishSectionProps = {
  readonly hook: {
    readonly id: string;
    /** Null: accepted deliveries aren't published. */
    readonly publish: {
      readonly eventType: string | null;
      readonly recipientPath: string | null;
      readonly content: "payload" | "data" | null;
    } | null;
  };
  readonly save: SaveHook;
};

const publishFields = {
  publish: switched(
    { eventType: optionalText, recipientPath: optionalText, content: optionalText },
    { eventType: null, recipientPath: null, content: null },
  ),
};

/** Chooses whether each accepted delivery becomes an event for the account's subscriptions. */
export function PublishSection({ hook, save }: PublishSectionProps) {
  const section = useSection({
    fields: publishFields,
    hook,
    save,
  });
  const { of, draft } = section;
  return (
    <Section title="Publish" lead="Send what arrives on to your own subscriptions.">
      <SectionForm section={section}>
        <FieldCheck of={of("publish", "isOn")} label="Publish each accepted delivery as an event" />
        {draft.publish.isOn && (
          <>
            <FieldSelect
              of={of("publish", "content")}
              label="The event's data"
              hint="A list or a single value leaves the usual shape of an event."
            >
              <option value="">
                The data of a payload with id, type, and data, or the payload
              </option>
              <option value="payload">The whole payload</option>
              <option value="data">The payload's data, if it has one</option>
            </FieldSelect>
            <div className="grid gap-4 sm:grid-cols-2">
              <Field
                of={of("publish", "eventType")}
                label="Event type"
                spellCheck={false}
                placeholder="As received"
                hint="Leave it empty to use the delivery's own type."
              />
              <Field
                of={of("publish", "recipientPath")}
                label="Recipient"
                spellCheck={false}
                placeholder="data.customer.id"
                hint="Where the payload names it. Leave it empty for events without a recipient."
              />
            </div>
          </>
        )}
      </SectionForm>
    </Section>
  );
}
