"use client";

import { useState } from "react";
import type { SaveHook } from "./save-hook.ts";
import { Button } from "./ui/button.tsx";
import { Form } from "./ui/form.tsx";
import { toast } from "./ui/toast.ts";
import { useCommand } from "./use-command.ts";

type MethodsFormProps = {
  readonly hookId: string;
  readonly methods: readonly string[];
  readonly splitBatches: boolean;
  readonly save: SaveHook;
};

const offered = ["POST", "PUT", "PATCH", "DELETE", "GET"];

/** What the catch URL takes. */
export function MethodsForm({ hookId, methods, splitBatches, save }: MethodsFormProps) {
  const [chosen, setChosen] = useState(new Set(methods));
  const [isSplit, setIsSplit] = useState(splitBatches);
  const { fields, message, isPending, onSubmit } = useCommand(async () => {
    const result = await save(hookId, {
      methods: offered.filter((method) => chosen.has(method)),
      splitBatches: isSplit,
    });
    if (result.ok) toast("Saved. It holds for what arrives from now on.");
    return result;
  });
  const toggle = (method: string) =>
    setChosen(new Set(offered.filter((one) => chosen.has(one) !== (one === method))));
  return (
    <Form onSubmit={onSubmit} message={message}>
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
        <p id="methods-note" className={fields.methods === undefined ? note : "text-sm text-negative"}>
          {fields.methods === undefined
            ? "Any other is refused with 405. Nearly every sender uses POST."
            : `Methods ${fields.methods}.`}
        </p>
      </fieldset>
      <div className="grid gap-1">
        <Check label="Take batches apart" isChecked={isSplit} onChange={() => setIsSplit(!isSplit)} />
        <p className={note}>
          Where a sender puts several events into one request, each becomes a delivery of its own. Otherwise
          the request is one delivery.
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

function Check({ label, isChecked, onChange }: { label: string; isChecked: boolean; onChange: () => void }) {
  return (
    <label className="flex w-fit cursor-pointer items-center gap-2 text-sm font-medium">
      <input type="checkbox" checked={isChecked} onChange={onChange} className="size-4 accent-primary" />
      {label}
    </label>
  );
}
