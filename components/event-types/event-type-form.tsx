"use client";

import { useRouter } from "next/navigation";
import { Button } from "#components/ui/button/button.tsx";
import { JsonField } from "#components/ui/code/json-field.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { ChoiceGroup } from "#components/ui/form/choice-group.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { type JsonCommand, sendJson } from "#components/ui/form/send-json.ts";
import { useDraftCommand } from "#components/ui/form/use-draft-command.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { inferSchema } from "#lib/core/json/infer-schema.ts";
import { parseExactJson } from "#lib/core/json/parse-exact-json.ts";
import { type EventTypeDraft, readEventTypeDraft } from "./event-type-draft.ts";
import { eventTypePath } from "./event-type-table.tsx";

type EventTypeFormProps = {
  readonly stored: EventTypeDraft;
  readonly isNew: boolean;
  readonly save: JsonCommand<null>;
};

/** An event type of the catalog: its meaning, the shape of its data, and what is checked. */
export function EventTypeForm({ stored, isNew, save }: EventTypeFormProps) {
  const router = useRouter();
  const form = useDraftCommand(stored, async (draft) => {
    const result = await sendJson(readEventTypeDraft(draft), save);
    if (!result.ok) return result;
    toast("Saved. This applies to new events.");
    if (isNew) router.push(eventTypePath(draft.name.trim()));
    return result;
  });
  const { draft, change, fields, rejection, isPending, onSubmit } = form;
  const at = (path: string) =>
    Object.entries(fields).find(([field]) => field === path || field.startsWith(`${path}.`))?.[1];
  return (
    <Card className="p-6">
      <Form onSubmit={onSubmit} rejection={rejection} className="gap-5">
        {isNew && (
          <TextField
            label="Name"
            name="name"
            autoComplete="off"
            autoFocus
            spellCheck={false}
            placeholder="invoice.paid"
            hint="What happened, in words joined by dots. It can't be changed later."
            value={draft.name}
            onChange={(event) => change({ name: event.target.value })}
            error={at("name")}
          />
        )}
        <TextField
          label="Description"
          name="description"
          autoComplete="off"
          hint="When the event is sent. Your customers see this in the portal."
          value={draft.description}
          onChange={(event) => change({ description: event.target.value })}
          error={at("description")}
        />
        <div className="grid grid-cols-1 gap-2">
          <JsonField
            label="Example"
            value={draft.example}
            onChange={(example) => change({ example })}
            placeholder={'{ "amount": 1200 }'}
            hint="Sample data of this type, which test events send too."
            error={at("example")}
          />
          <MakeSchema {...draft} onMade={(schema) => change({ schema })} />
        </div>
        <JsonField
          label="Schema"
          value={draft.schema}
          onChange={(schema) => change({ schema })}
          placeholder={'{ "type": "object", "required": ["amount"] }'}
          hint="JSON Schema of the data. Leave it empty to allow anything."
          error={at("schema")}
        />
        <ChoiceGroup
          label="When an event doesn't match the schema"
          name="onMismatch"
          value={draft.onMismatch}
          onChange={(onMismatch) => change({ onMismatch })}
          columns={2}
          choices={[
            { value: "warn", title: "Send it", text: "The event shows a warning." },
            { value: "reject", title: "Reject it", text: "The publisher gets 400." },
          ]}
        />
        <CheckField
          label="Deprecated"
          text="Still sent, but marked as deprecated in the catalog."
          checked={draft.deprecated}
          onChange={(deprecated) => change({ deprecated })}
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
function MakeSchema({
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
