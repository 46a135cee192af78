"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import type { SaveHook } from "./save-hook.ts";

type MethodsFormProps = {
  readonly hookId: string;
  readonly methods: readonly string[];
  readonly splitBatches: boolean;
  readonly save: SaveHook;
};

const offered = ["POST", "PUT", "PATCH", "DELETE", "GET"];

/** The requests that the catch URL accepts. */
export function MethodsForm({ hookId, methods, splitBatches, save }: MethodsFormProps) {
  const [chosen, setChosen] = useState(new Set(methods));
  const [isSplit, setIsSplit] = useState(splitBatches);
  const { fields, rejection, isPending, onSubmit } = useCommand(async () => {
    const result = await save(hookId, {
      methods: offered.filter((method) => chosen.has(method)),
      splitBatches: isSplit,
    });
    if (result.ok) toast("Saved. This applies to new deliveries.");
    return result;
  });
  const toggle = (method: string) =>
    setChosen(new Set(offered.filter((one) => chosen.has(one) !== (one === method))));
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <fieldset aria-describedby="methods-note" className="grid gap-2">
        <legend className="mb-2 text-sm font-medium">Methods</legend>
        <div className="flex flex-wrap gap-x-5 gap-y-2">
          {offered.map((method) => (
            <Check
              key={method}
              label={method}
              isChecked={chosen.has(method)}
              onChange={() => toggle(method)}
            />
          ))}
        </div>
        <p
          id="methods-note"
          className={fields.methods === undefined ? note : "text-sm text-negative"}
        >
          {fields.methods === undefined
            ? "Other methods get 405. Nearly every provider uses POST."
            : `Methods ${fields.methods}.`}
        </p>
      </fieldset>
      <div className="grid gap-1">
        <Check label="Split batches" isChecked={isSplit} onChange={() => setIsSplit(!isSplit)} />
        <p className={note}>
          When a provider sends several events in one request, each becomes a separate delivery.
        </p>
      </div>
      <div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          Save
        </Button>
      </div>
    </Form>
  );
}

const note = "text-sm text-muted-foreground";

function Check({
  label,
  isChecked,
  onChange,
}: {
  label: string;
  isChecked: boolean;
  onChange: () => void;
}) {
  return (
    <label className="flex w-fit cursor-pointer items-center gap-2 text-sm font-medium">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={onChange}
        className="size-4 accent-primary"
      />
      {label}
    </label>
  );
}
