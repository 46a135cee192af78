"use client";

import { Plus, X } from "lucide-react";
import { TemplateField } from "#components/template/template-field.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { IconButton } from "#components/ui/button/icon-button.tsx";
import { control } from "#components/ui/form/field.tsx";
import { FieldErrors } from "#components/ui/form/field-errors.tsx";
import { type ActionErrors, errorsAt, textsAt } from "../draft/action-errors.ts";
import { isFilled, type PartDraft, type PartKind } from "../draft/request-draft.ts";

type PartFieldsProps = {
  readonly parts: readonly PartDraft[];
  readonly onChange: (parts: readonly PartDraft[]) => void;
  readonly errors: ActionErrors;
  readonly resolved: Readonly<Record<string, string>>;
};

const kinds: readonly { readonly kind: PartKind; readonly words: string }[] = [
  { kind: "field", words: "Field" },
  { kind: "text", words: "File of text" },
  { kind: "base64", words: "File from base64" },
  { kind: "delivery", words: "Original body as a file" },
];

/** The fields and files of a multipart body, one card each. */
export function PartFields({ parts, onChange, errors, resolved }: PartFieldsProps) {
  // Rows that are empty aren't sent, so the errors count without them.
  const filled = parts.filter(isFilled);
  const change = (key: number, next: Partial<PartDraft>) =>
    onChange(parts.map((part) => (part.key === key ? { ...part, ...next } : part)));
  const add = (kind: PartKind) => {
    const key = Math.max(-1, ...parts.map((part) => part.key)) + 1;
    onChange([...parts, { key, kind, name: "", value: "", fileName: "", contentType: "" }]);
  };
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      {parts.map((part, index) => (
        <PartCard
          key={part.key}
          part={part}
          label={`Part ${index + 1}`}
          at={`request.multipart.${filled.indexOf(part)}`}
          errors={errors}
          resolved={resolved}
          onChange={(next) => change(part.key, next)}
          onRemove={() => onChange(parts.filter(({ key }) => key !== part.key))}
        />
      ))}
      {textsAt(errors, "request.multipart").length > 0 && (
        <FieldErrors errors={textsAt(errors, "request.multipart")} />
      )}
      <div className="-ml-3.5 flex flex-wrap">
        <Button look="quiet" onClick={() => add("field")}>
          <Plus aria-hidden size={15} />
          Add field
        </Button>
        <Button look="quiet" onClick={() => add("base64")}>
          <Plus aria-hidden size={15} />
          Add file
        </Button>
      </div>
    </div>
  );
}

type PartCardProps = {
  readonly part: PartDraft;
  readonly label: string;
  readonly at: string;
  readonly errors: ActionErrors;
  readonly resolved: Readonly<Record<string, string>>;
  readonly onChange: (change: Partial<PartDraft>) => void;
  readonly onRemove: () => void;
};

function PartCard({ part, label, at, errors, resolved, onChange, onRemove }: PartCardProps) {
  const { kind, name, value, fileName, contentType } = part;
  const field = (path: string) => ({
    errors: errorsAt(errors, `${at}.${path}`),
    resolved: resolved[`${at}.${path}`],
  });
  const typeField = (
    <TemplateField
      label="Content type"
      targetName={`${label}, content type`}
      value={contentType}
      onChange={(next) => onChange({ contentType: next })}
      placeholder={kind === "field" ? "none" : "application/octet-stream"}
      {...field("contentType")}
    />
  );
  return (
    <fieldset className="@container grid min-w-0 grid-cols-1 gap-3 rounded-md border p-3">
      <legend className="sr-only">{label}</legend>
      <div className="flex min-w-0 items-start gap-2">
        <select
          aria-label={`${label}, kind`}
          value={kind}
          onChange={(event) => onChange({ kind: event.target.value as PartKind })}
          className={`${control} min-w-0 flex-1`}
        >
          {kinds.map((each) => (
            <option key={each.kind} value={each.kind}>
              {each.words}
            </option>
          ))}
        </select>
        <IconButton label={`Remove ${label.toLowerCase()}`} onClick={onRemove}>
          <X aria-hidden size={15} />
        </IconButton>
      </div>
      <div className="grid min-w-0 grid-cols-1 gap-3 @md:grid-cols-2">
        <TemplateField
          label="Name"
          targetName={`${label}, name`}
          value={name}
          onChange={(next) => onChange({ name: next })}
          placeholder="file"
          {...field("name")}
        />
        {kind === "field" ? (
          typeField
        ) : (
          <TemplateField
            label="File name"
            targetName={`${label}, file name`}
            value={fileName}
            onChange={(next) => onChange({ fileName: next })}
            placeholder="invoice.pdf"
            {...field("fileName")}
          />
        )}
      </div>
      {kind !== "delivery" && (
        <TemplateField
          label={kind === "base64" ? "Base64" : "Value"}
          targetName={`${label}, value`}
          value={value}
          onChange={(next) => onChange({ value: next })}
          placeholder={kind === "base64" ? "{{ data.pdf_base64 }}" : "{{ data.object.id }}"}
          {...field("value")}
        />
      )}
      {kind !== "field" && typeField}
    </fieldset>
  );
}
