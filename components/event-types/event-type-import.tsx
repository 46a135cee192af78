"use client";

import { Button, buttonClasses } from "#components/ui/button/button.tsx";
import { DocumentField } from "#components/ui/code/document-field.tsx";
import { asIs } from "#components/ui/form/codec.ts";
import { Form } from "#components/ui/form/form.tsx";
import { useForm } from "#components/ui/form/use-form.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type ImportedTypes = {
  readonly imported: readonly string[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
};
type ImportEventTypes = (document: string) => Promise<CommandResult<ImportedTypes>>;

const documentFields = { document: asIs<string>() };

/** Reads the webhooks of an OpenAPI document into the catalog. */
export function EventTypeImport({ run }: { run: ImportEventTypes }) {
  const form = useForm(documentFields, { document: "" }, (_input, { document }) => run(document));
  const { of, result, rejection, isPending, onSubmit } = form;

  if (result?.ok === true) return <Imported {...result.value} />;
  return (
    <Card className="p-6">
      <Form onSubmit={onSubmit} rejection={rejection}>
        <DocumentField
          accept=".json,.yaml,.yml,application/json"
          {...of("document")}
          placeholder={'{ "openapi": "3.1.0", "webhooks": { "invoice.paid": { … } } }'}
          hint="OpenAPI 3.1 in JSON or YAML. Event types that exist are replaced."
        />
        <div>
          <Button type="submit" isBusy={isPending}>
            Import event types
          </Button>
        </div>
      </Form>
    </Card>
  );
}

function Imported({ imported, skipped }: ImportedTypes) {
  return (
    <Card className="grid grid-cols-1 gap-4 p-6">
      <Notice tone={imported.length > 0 ? "positive" : "caution"}>
        {describeCount(imported.length, "event type")} imported.
      </Notice>
      {imported.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {imported.slice(0, maxShown).map((name) => (
            <li key={name} className="rounded-md bg-muted px-2 py-0.5 font-mono text-xs leading-5">
              {safeText(name)}
            </li>
          ))}
        </ul>
      )}
      {skipped.length > 0 && (
        <div className="grid gap-1.5 text-sm">
          <h2 className="font-semibold">Not imported</h2>
          <ul className="grid gap-1">
            {skipped.slice(0, maxShown).map(({ name, reason }) => (
              <li key={name} className="break-words text-muted-foreground">
                <code className="font-mono text-xs text-foreground">{safeText(name)}</code>{" "}
                {safeText(reason)}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div>
        <Link href="/event-types" className={buttonClasses()}>
          View event types
        </Link>
      </div>
    </Card>
  );
}

const maxShown = 100;
