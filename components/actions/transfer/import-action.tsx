"use client";

import { Button } from "#components/ui/button/button.tsx";
import { DocumentField } from "#components/ui/code/document-field.tsx";
import { asIs } from "#components/ui/form/codec.ts";
import { Form } from "#components/ui/form/form.tsx";
import { useForm } from "#components/ui/form/use-form.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { NextLink } from "#components/ui/next-link.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import type { Imported } from "#lib/schema/act/transfer.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type ImportActionProps = {
  readonly run: (document: string) => Promise<CommandResult<Imported>>;
};

const documentFields = { document: asIs<string>() };

/** Creates an action from an exported one. */
export function ImportAction({ run }: ImportActionProps) {
  const form = useForm(documentFields, { document: "" }, (_input, { document }) => run(document));
  const { of, result, rejection, isPending, onSubmit } = form;

  if (result?.ok === true) return <Done {...result.value} />;
  return (
    <Card className="p-6">
      <Form onSubmit={onSubmit} rejection={rejection}>
        <DocumentField
          accept=".json,application/json"
          {...of("document")}
          placeholder={'{ "format": "catchment.action/1", "name": "To the CRM", … }'}
          hint="An action that you exported. It has no secrets."
        />
        <div>
          <Button type="submit" isBusy={isPending}>
            Import action
          </Button>
        </div>
      </Form>
    </Card>
  );
}

function Done({ id, missingCredentials, missingDestinations }: Imported) {
  const list = (keys: readonly string[]) => new Intl.ListFormat("en").format(keys);
  return (
    <Card className="grid grid-cols-1 gap-4 p-6">
      <Notice tone="positive">Imported. The action is disabled until you enable it.</Notice>
      {missingCredentials.length > 0 && (
        <Notice tone="caution">Enter the credentials of {list(missingCredentials)}.</Notice>
      )}
      {missingDestinations.length > 0 && (
        <Notice tone="caution">
          The destination of {list(missingDestinations)} isn't in this account. Choose another, or
          call the URL without one.
        </Notice>
      )}
      <p className="text-sm">
        <NextLink href={`/actions/${id}`}>Go to the action</NextLink>
      </p>
    </Card>
  );
}
