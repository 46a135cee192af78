"use client";

import { useId, useState, useTransition } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { DialogButtons } from "#components/ui/overlay/dialog.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { Notice } from "#components/ui/status/notice.tsx";
import type { FieldProposal } from "#lib/core/mapping/mapping-example/proposal.ts";
import { writeExample } from "#lib/core/mapping/mapping-example/write-example.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { ActionStart } from "../draft/action-presets.ts";
import { type PastedExample, readPasted, toExampleJson, toRequest } from "./pasted-example.ts";
import { ProposalRows } from "./proposal-rows.tsx";

type Found = { readonly pasted: PastedExample; readonly proposals: readonly FieldProposal[] };

type ExampleDialogProps = {
  readonly propose: (exampleJson: string) => Promise<CommandResult<readonly FieldProposal[]>>;
  readonly onStart: (start: ActionStart) => void;
  readonly onClose: () => void;
};

/** Asks for the example, and shows where each of its values can come from. */
export function ExampleDialog({ propose, onStart, onClose }: ExampleDialogProps) {
  const id = useId();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  const [found, setFound] = useState<Found | null>(null);
  const [rejected, setRejected] = useState<ReadonlySet<string>>(new Set());
  const [isPending, startTransition] = useTransition();

  function look() {
    const read = readPasted(text);
    if (!read.ok) return setProblem(read.message);
    setProblem(undefined);
    startTransition(async () => {
      const result = await propose(toExampleJson(read.pasted)).catch(() => serverUnreachable);
      startTransition(() => {
        if (!result.ok) return setProblem(result.message);
        // A similar name is only a guess, but better than a value of another customer.
        setRejected(new Set());
        setFound({ pasted: read.pasted, proposals: result.value });
      });
    });
  }

  function toggle(path: string) {
    const next = new Set(rejected);
    if (!next.delete(path)) next.add(path);
    setRejected(next);
  }

  function fillIn({ pasted, proposals }: Found) {
    const taken = proposals.filter(
      ({ path, within }) => !rejected.has(path) && (within === undefined || !rejected.has(within)),
    );
    onStart({ request: toRequest(pasted, writeExample(pasted.example, taken)) });
    const left = proposals.filter(({ confidence }) => confidence === "none").length;
    const rest =
      left === 0
        ? ""
        : ` ${left === 1 ? "1 value stays" : `${left} values stay`} as in the example.`;
    toast([`Filled in from the example.${rest}`, ...pasted.notes].join(" "));
  }

  if (found !== null) {
    return (
      <>
        <ProposalRows proposals={found.proposals} rejected={rejected} onToggle={toggle} />
        <DialogButtons>
          <Button look="secondary" onClick={() => setFound(null)}>
            Back
          </Button>
          <Button onClick={() => fillIn(found)}>Fill in</Button>
        </DialogButtons>
      </>
    );
  }
  return (
    <>
      <div className="grid gap-1.5">
        <label htmlFor={id} className="text-sm font-medium">
          The request that the other system should get
        </label>
        <textarea
          id={id}
          rows={11}
          value={text}
          onChange={(event) => setText(event.target.value)}
          spellCheck={false}
          autoComplete="off"
          placeholder={
            '{\n  "email": "ada@example.com",\n  "first_name": "Ada",\n  "total": 42.00\n}'
          }
          aria-describedby={`${id}-hint`}
          className={
            "w-full rounded-md border border-input bg-card px-3 py-2 " +
            "font-mono text-xs placeholder:text-muted-foreground"
          }
        />
        <p id={`${id}-hint`} className="text-sm text-muted-foreground">
          JSON, a curl command, a form such as a=1&b=2, or a URL. It works best with the values of
          the delivery on the left, and also with those of another customer.
        </p>
      </div>
      {problem !== undefined && <Notice tone="negative">{problem}</Notice>}
      <DialogButtons>
        <Button look="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={look} isBusy={isPending}>
          Find values
        </Button>
      </DialogButtons>
    </>
  );
}
