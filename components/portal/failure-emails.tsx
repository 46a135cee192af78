"use client";

import { Button } from "#components/ui/button/button.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type FailureEmailsProps = {
  readonly sendsEmail: boolean;
  readonly emails: readonly {
    readonly id: string;
    readonly email: string;
    readonly isConfirmed: boolean;
  }[];
  /** Null: the link doesn't allow it. */
  readonly commands: {
    readonly add: (input: object) => Promise<CommandResult<null>>;
    readonly remove: (id: string) => Promise<CommandResult<null>>;
  } | null;
};

/** Who is told by email when an endpoint fails. Nothing if no one can be. */
export function FailureEmails({ sendsEmail, emails, commands }: FailureEmailsProps) {
  if (!sendsEmail && emails.length === 0) return null;
  return (
    <section className="grid grid-cols-1 gap-3" aria-labelledby="failure-emails">
      <div className="grid gap-1">
        <h2 id="failure-emails" className="text-lg font-semibold tracking-tight">
          Tell me when my endpoint fails
        </h2>
        <p className="text-sm text-muted-foreground">
          {sendsEmail
            ? "One email when it fails, and one when it works again."
            : "Emails aren't available here at the moment."}
        </p>
      </div>
      {(emails.length > 0 || (sendsEmail && commands !== null)) && (
        <Card>
          {emails.length > 0 && (
            <ul className="divide-y border-b last:border-b-0">
              {emails.map(({ id, email, isConfirmed }) => (
                <li
                  key={id}
                  className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5 text-sm sm:px-5"
                >
                  <span className="min-w-0 flex-1 basis-48 break-words">{safeText(email)}</span>
                  {!isConfirmed && <Badge tone="caution">Waiting for its link to be opened</Badge>}
                  {commands !== null && (
                    <CommandButton
                      ariaLabel={`Remove ${safeText(email)}`}
                      run={commands.remove.bind(null, id)}
                    >
                      Remove
                    </CommandButton>
                  )}
                </li>
              ))}
            </ul>
          )}
          {sendsEmail && commands !== null && <AddEmail add={commands.add} />}
        </Card>
      )}
    </section>
  );
}

function AddEmail({ add }: Pick<NonNullable<FailureEmailsProps["commands"]>, "add">) {
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form, element) => {
    const result = await add({ email: form.get("email") });
    if (result.ok) element.reset();
    return result;
  });
  return (
    <div className="p-4 sm:px-5">
      <Form onSubmit={onSubmit} rejection={rejection}>
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          placeholder="you@example.com"
          hint="Gets a link first. Nothing else is sent until someone opens it."
          error={fields.email}
        />
        <div>
          <Button type="submit" look="secondary" isBusy={isPending}>
            Send link
          </Button>
        </div>
      </Form>
    </div>
  );
}
