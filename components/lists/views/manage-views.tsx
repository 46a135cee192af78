"use client";

import { Button } from "#components/ui/button/button.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { SavedView, ViewCommands, ViewParams } from "./saved-view.ts";

type ManageViewsProps = {
  readonly views: readonly SavedView[];
  /** The filters and columns of the list now. */
  readonly params: ViewParams;
  readonly commands: ViewCommands;
};

/** Renames, replaces, and deletes saved views. */
export function ManageViews({ views, params, commands }: ManageViewsProps) {
  if (views.length === 0)
    return <p className="text-sm text-muted-foreground">There are no saved views.</p>;
  return (
    <ul className="grid max-h-96 gap-5 overflow-y-auto">
      {views.map((view) => (
        <li key={view.id} className="grid gap-2">
          <ViewForm view={view} params={params} commands={commands} />
        </li>
      ))}
    </ul>
  );
}

type ViewFormProps = Omit<ManageViewsProps, "views"> & { readonly view: SavedView };

function ViewForm({ view: { id, name }, params, commands }: ViewFormProps) {
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) =>
    say(await commands.rename(id, String(form.get("name"))), "The view is renamed."),
  );
  const shown = safeText(name);
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <TextField
        label={`Name of ${shown}`}
        name="name"
        defaultValue={name}
        error={fields.name}
        autoComplete="off"
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="secondary" isBusy={isPending}>
          Rename
        </Button>
        <CommandButton
          look="secondary"
          run={async () => say(await commands.replace(id, params), `${shown} has these filters.`)}
        >
          Use these filters
        </CommandButton>
        <CommandButton
          look="danger"
          run={async () => say(await commands.remove(id), `${shown} is deleted.`)}
        >
          Delete
        </CommandButton>
      </div>
    </Form>
  );
}

function say(result: CommandResult<null>, words: string): CommandResult<null> {
  if (result.ok) toast(words);
  return result;
}
