"use client";

import { CheckField } from "#components/ui/form/check-field.tsx";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
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

/** Chooses whether each accepted delivery becomes an event for the account's subscriptions. */
export function PublishSection({ hook, save }: PublishSectionProps) {
  const section = useSection({
    hookId: hook.id,
    stored: {
      isOn: hook.publish !== null,
      eventType: hook.publish?.eventType ?? "",
      recipientPath: hook.publish?.recipientPath ?? "",
      content: hook.publish?.content ?? "",
    },
    toChange: ({ isOn, eventType, recipientPath, content }) => ({
      publish: isOn
        ? {
            eventType: orNull(eventType),
            recipientPath: orNull(recipientPath),
            content: orNull(content),
          }
        : null,
    }),
    save,
  });
  const { draft, change, fields } = section;
  return (
    <Section title="Publish" lead="Send what arrives on to your own subscriptions.">
      <SectionForm section={section}>
        <CheckField
          label="Publish each accepted delivery as an event"
          checked={draft.isOn}
          onChange={(isOn) => change({ isOn })}
        />
        {draft.isOn && (
          <>
            <SelectField
              label="The event's data"
              name="content"
              hint="A list or a single value leaves the usual shape of an event."
              value={draft.content}
              onChange={(event) => change({ content: event.target.value })}
              error={fields["publish.content"]}
            >
              <option value="">
                The data of a payload with id, type, and data, or the payload
              </option>
              <option value="payload">The whole payload</option>
              <option value="data">The payload's data, if it has one</option>
            </SelectField>
            <div className="grid gap-4 sm:grid-cols-2">
              <TextField
                label="Event type"
                name="eventType"
                autoComplete="off"
                spellCheck={false}
                placeholder="As received"
                hint="Leave it empty to use the delivery's own type."
                value={draft.eventType}
                onChange={(event) => change({ eventType: event.target.value })}
                error={fields["publish.eventType"]}
              />
              <TextField
                label="Recipient"
                name="recipientPath"
                autoComplete="off"
                spellCheck={false}
                placeholder="data.customer.id"
                hint="Where the payload names it. Leave it empty for events without a recipient."
                value={draft.recipientPath}
                onChange={(event) => change({ recipientPath: event.target.value })}
                error={fields["publish.recipientPath"]}
              />
            </div>
          </>
        )}
      </SectionForm>
    </Section>
  );
}

function orNull(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}
