"use client";

import { useEffect, useRef, useState } from "react";
import { useAllowed } from "#components/permissions/role.tsx";
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

type Removed = Pick<SavedView, "id" | "name">;

/** Renames, replaces, and deletes saved views. A deletion can be taken back for a while. */
export function ManageViews({ views, params, commands }: ManageViewsProps) {
  const [removed, setRemoved] = useState<readonly Removed[]>([]);
  const forget = (id: string) => setRemoved((before) => before.filter((view) => view.id !== id));
  const gone = removed.filter(({ id }) => !views.some((view) => view.id === id));
  if (views.length === 0 && gone.length === 0)
    return <p className="text-sm text-muted-foreground">There are no saved views.</p>;
  return (
    <ul className="grid max-h-96 gap-5 overflow-y-auto p-1">
      {gone.map((view) => (
        <RemovedView
          key={view.id}
          view={view}
          restore={commands.restore}
          forget={() => forget(view.id)}
        />
      ))}
      {views.map((view) => (
        <li key={view.id} className="grid gap-2">
          <ViewForm
            view={view}
            params={params}
            commands={commands}
            onRemoved={() => {
              forget(view.id);
              setRemoved((before) => [...before, view]);
            }}
          />
        </li>
      ))}
    </ul>
  );
}

const undoMs = 30_000;

type RemovedViewProps = {
  readonly view: Removed;
  readonly restore: ViewCommands["restore"];
  readonly forget: () => void;
};

/** The place of a view that was just deleted. The server keeps it longer than this. */
function RemovedView({ view: { id, name }, restore, forget }: RemovedViewProps) {
  const leave = useRef(forget);
  leave.current = forget;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // The button that was pressed is gone.
    row.current?.querySelector("button")?.focus();
    const timer = setTimeout(() => leave.current(), undoMs);
    return () => clearTimeout(timer);
  }, []);
  const shown = safeText(name);
  return (
    <li
      ref={row}
      className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-muted px-3 py-2 text-sm"
    >
      <span role="status" className="min-w-0 break-words">
        “{shown}” is removed.
      </span>
      <CommandButton look="secondary" run={async () => say(await restore(id), `${shown} is back.`)}>
        Undo
      </CommandButton>
    </li>
  );
}

type ViewFormProps = Omit<ManageViewsProps, "views"> & {
  readonly view: SavedView;
  readonly onRemoved: () => void;
};

function ViewForm({ view, params, commands, onRemoved }: ViewFormProps) {
  const { id, name, isDefault } = view;
  const mayChoose = useAllowed("account:write");
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
        {mayChoose && (
          <CommandButton
            look="secondary"
            run={async () =>
              say(
                await commands.setDefault(id, !isDefault),
                isDefault ? `${shown} is no longer the default.` : `The menu opens ${shown} first.`,
              )
            }
          >
            {isDefault ? "Remove default" : "Make default"}
          </CommandButton>
        )}
        <CommandButton
          look="danger"
          run={async () => {
            const result = await commands.remove(id);
            if (result.ok) onRemoved();
            return result;
          }}
        >
          Delete
        </CommandButton>
      </div>
      {isDefault && (
        <p className="text-sm text-muted-foreground">The menu opens this view, for everyone.</p>
      )}
    </Form>
  );
}

function say(result: CommandResult<null>, words: string): CommandResult<null> {
  if (result.ok) toast(words);
  return result;
}
