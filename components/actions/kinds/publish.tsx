import { TemplateField } from "#components/template/template-field.tsx";
import { formatBody } from "#components/ui/text/format-body.ts";
import { TextBlock } from "#components/ui/text/text-block.tsx";
import { errorsAt, errorsInJson } from "../draft/action-errors.ts";
import type { KindFieldsProps, KindView } from "./kind-view.ts";

/** An event for subscriptions. */
export const publishView: KindView<"publish"> = {
  label: "Publish event",
  shortLabel: "Publish",
  hasItems: true,
  summarize: ({ type }) => (type.trim() === "" ? "No event type yet" : `Publishes ${type}`),
  Fields: PublishFields,
  Preview: ({ value }) => (
    <TextBlock label="Event to publish" text={formatBody(value) ?? value} keepsLines />
  ),
};

function PublishFields({ work, onChange, errors }: KindFieldsProps<"publish">) {
  return (
    <>
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <TemplateField
          label="Event type"
          value={work.type}
          onChange={(type) => onChange({ ...work, type })}
          placeholder="invoice.paid"
          errors={errorsAt(errors, "type")}
        />
        <TemplateField
          label="Recipient"
          value={work.recipient}
          onChange={(recipient) => onChange({ ...work, recipient })}
          placeholder="all without a recipient"
          errors={errorsAt(errors, "recipient")}
        />
      </div>
      <TemplateField
        label="Data"
        rows={6}
        place="json"
        value={work.data}
        onChange={(data) => onChange({ ...work, data })}
        placeholder={'{ "object": { "id": "{{ id }}" } }'}
        hint="An object. A list or a single value leaves the usual shape of an event."
        errors={errorsInJson(errors, "data", work.data)}
      />
    </>
  );
}
