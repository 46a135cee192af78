"use client";

import { useRouter } from "next/navigation";
import { useId, useState, useTransition } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Dialog, DialogButtons } from "#components/ui/overlay/dialog.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { type Column, toColumnParams } from "./delivery-row.ts";

type ColumnPickerProps = {
  readonly path: string;
  /** The parameters of the list's URL, without its page. */
  readonly params: Readonly<Record<string, string>>;
  /** Those that are shown now. */
  readonly columns: readonly Column[];
  /** Payload paths of the listed deliveries, each with an example. */
  readonly paths: readonly (readonly [path: string, example: string])[];
};

const maxColumns = 6;
/** The server checks paths as the API does. */
const pathPattern = /^[^.\s,]+(\.[^.\s,]+)*$/;

/** Chooses the values of the payload that the list shows as columns. They are in the URL. */
export function ColumnPicker({ path, params, columns, paths }: ColumnPickerProps) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [isPending, startTransition] = useTransition();

  function apply(chosen: readonly string[]) {
    setOpen(false);
    const arranged = chosen.map(
      (path) => columns.find((column) => column.path === path) ?? { path, title: "", width: null },
    );
    const given = Object.entries({ ...params, ...toColumnParams(arranged) });
    const query = new URLSearchParams(given.filter(([, value]) => value !== ""));
    const next = query.size === 0 ? path : `${path}?${query}`;
    startTransition(() => router.push(next, { scroll: false }));
  }

  return (
    <>
      <Button look="secondary" isBusy={isPending} onClick={() => setOpen(true)}>
        Columns{columns.length > 0 && ` (${columns.length})`}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Columns from the payload">
        <Picker columns={columns} paths={paths} apply={apply} />
      </Dialog>
    </>
  );
}

type PickerProps = Pick<ColumnPickerProps, "columns" | "paths"> & {
  readonly apply: (chosen: readonly string[]) => void;
};

function Picker({ columns, paths, apply }: PickerProps) {
  const listId = useId();
  const [chosen, setChosen] = useState(columns.map((column) => column.path));
  const [text, setText] = useState("");
  const typed = text.trim();
  const known = [
    ...chosen.filter((path) => !paths.some(([name]) => name === path)).map((path) => [path, ""]),
    ...paths,
  ] as readonly (readonly [string, string])[];
  const found = known.filter(([path]) => path.toLowerCase().includes(typed.toLowerCase()));
  const isNew = pathPattern.test(typed) && !known.some(([path]) => path === typed);
  const isFull = chosen.length >= maxColumns;

  function toggle(path: string, isChosen: boolean) {
    setChosen(isChosen ? [...chosen, path] : chosen.filter((each) => each !== path));
  }

  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        apply(isNew && !isFull ? [...chosen, typed] : chosen);
      }}
    >
      <TextField
        label="Find or type a path"
        name="path"
        placeholder="data.object.id"
        value={text}
        onChange={(event) => setText(event.target.value)}
        aria-controls={listId}
        autoComplete="off"
        spellCheck={false}
      />
      <div
        id={listId}
        className="grid max-h-72 auto-rows-max content-start gap-1.5 overflow-y-auto"
      >
        {isNew && (
          <p className="text-sm text-muted-foreground">
            Press Enter to show <span className="font-mono wrap-anywhere">{safeText(typed)}</span>
          </p>
        )}
        {found.map(([path, example]) => (
          <CheckField
            key={path}
            checked={chosen.includes(path)}
            disabled={isFull && !chosen.includes(path)}
            onChange={(isChosen) => toggle(path, isChosen)}
            label={
              <>
                <span className="font-mono text-xs wrap-anywhere">{safeText(path)}</span>{" "}
                <span className="text-xs text-muted-foreground">{safeText(example)}</span>
              </>
            }
          />
        ))}
        {found.length === 0 && !isNew && (
          <p className="text-sm text-muted-foreground">No listed delivery has such a path.</p>
        )}
      </div>
      <p className="text-sm text-muted-foreground">
        At most {maxColumns}. Values are read from the first 16 KiB of a body.
      </p>
      <DialogButtons>
        {columns.length > 0 && (
          <Button look="secondary" onClick={() => apply([])}>
            Remove all
          </Button>
        )}
        <Button look="primary" type="submit">
          Show columns
        </Button>
      </DialogButtons>
    </form>
  );
}
