import { TemplateField } from "#components/template/template-field.tsx";
import { type ActionErrors, errorsAt, errorsInJson } from "../draft/action-errors.ts";
import type { PublishWork } from "../draft/step-draft.ts";

type PublishFieldsProps = {
  readonly work: PublishWork;
  readonly onChange: (work: PublishWork) => void;
  readonly errors: ActionErrors;
};

/** The event that a step publishes to subscriptions. */
export function PublishFields({ work, onChange, errors }: PublishFieldsProps) {
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
        placeholder={'{ "id": "{{ id }}" }'}
        errors={errorsInJson(errors, "data", work.data)}
      />
    </>
  );
}
