"use client";

import { useRouter } from "next/navigation";
import { Button } from "#components/ui/button/button.tsx";
import { JsonField } from "#components/ui/code/json-field.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { ChoiceGroup } from "#components/ui/form/choice-group.tsx";
import { Field, FieldCheck } from "#components/ui/form/fields.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { type JsonCommand, sendJson } from "#components/ui/form/send-json.ts";
import { useForm } from "#components/ui/form/use-form.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { inferSchema } from "#lib/core/mapping/json/infer-schema.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { type EventTypeDraft, eventTypeFields } from "./event-type-draft.ts";
import { eventTypePath } from "./event-type-path.ts";

type EventTypeFormProps = {
  readonly stored: EventTypeDraft;
  readonly isNew: boolean;
  readonly save: JsonCommand<null>;
};

/** An event type of the catalog: its meaning, the shape of its data, and what is checked. */
export function EventTypeForm({ stored, isNew, save }: EventTypeFormProps) {
  const router = useRouter();
  const form = useForm(eventTypeFields, stored, async (input, filled) => {
    const result = await sendJson({ ok: true, input }, save);
    if (!result.ok) return result;
    toast("Saved. This applies to new events.");
    if (isNew) router.push(eventTypePath(filled.name.trim()));
    return result;
  });
  const { draft, of, rejection, isPending, onSubmit } = form;
  return (
    <Card className="p-6">
      <Form onSubmit={onSubmit} rejection={rejection} className="gap-5">
        {isNew && (
          <Field
            of={of("name")}
            label="Name"
            autoFocus
            spellCheck={false}
            placeholder="invoice.paid"
            hint="What happened, in words joined by dots. It can't be changed later."
          />
        )}
        <Field
          of={of("description")}
          label="Description"
          hint="When the event is sent. Your customers see this in the portal."
        />
        <div className="grid grid-cols-1 gap-2">
          <JsonField
            {...of("example")}
            label="Example"
            placeholder={'{ "amount": 1200 }'}
            hint="Sample data of this type, which test events send too."
          />
          <MakeSchema {...draft} onMade={of("schema").onChange} />
        </div>
        <JsonField
          {...of("schema")}
          label="Schema"
          placeholder={'{ "type": "object", "required": ["amount"] }'}
          hint="JSON Schema of the data. Leave it empty to allow anything."
        />
        <ChoiceGroup
          {...of("onMismatch")}
          label="When an event doesn't match the schema"
          columns={2}
          choices={[
            { value: "warn", title: "Send it", text: "The event shows a warning." },
            { value: "reject", title: "Reject it", text: "The publisher gets 400." },
          ]}
        />
        <FieldCheck
          of={of("deprecated")}
          label="Deprecated"
          text="Still sent, but marked as deprecated in the catalog."
        />
        <div>
          <Button type="submit" isBusy={isPending}>
            {isNew ? "Create event type" : "Save event type"}
          </Button>
        </div>
      </Form>
    </Card>
  );
}

/** Fills in the schema that the example has. */
export function MakeSchema({
  example,
  schema,
  onMade,
}: Pick<EventTypeDraft, "example" | "schema"> & { readonly onMade: (schema: string) => void }) {
  const read = parseExactJson(example);
  return (
    <div>
      <Button
        look="secondary"
        disabled={!read.ok}
        onClick={() => read.ok && onMade(JSON.stringify(inferSchema(read.value), null, 2))}
      >
        {schema.trim() === ""
          ? "Make a schema from this example"
          : "Make a new schema from this example"}
      </Button>
    </div>
  );
}
