"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState, useTransition } from "react";
import { LimitFields } from "#components/lists/limit-fields.tsx";
import type { LimitInput } from "#components/lists/limit-input.ts";
import { TimeField } from "#components/lists/time-field.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { ChoiceGroup } from "#components/ui/form/choice-group.tsx";
import { DialogButtons } from "#components/ui/overlay/dialog.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { Notice } from "#components/ui/status/notice.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { type ReplayDryRunView, ReplayPreview } from "./replay-preview.tsx";

/** The values of the form, as text. */
export type ReplayInput = LimitInput & {
  readonly which: "missing" | "all";
  readonly as: "now" | "then";
  readonly from: string;
  readonly to: string;
};

type ReplayCommands = {
  readonly tryOut: (input: ReplayInput) => Promise<CommandResult<ReplayDryRunView>>;
  readonly start: (input: ReplayInput) => Promise<CommandResult<null>>;
};

export type ReplayFormProps = ReplayCommands & {
  readonly actionId: string;
  readonly onCancel: () => void;
};

const sets = [
  {
    value: "missing",
    title: "Deliveries without a run of this action",
    text: "Those from before it existed, or while it was disabled.",
  },
  { value: "all", title: "All accepted deliveries" },
] as const;

const forms = [
  { value: "now", title: "As the action is now" },
  {
    value: "then",
    title: "The request as it was sent",
    text: "The same bytes, with a new Idempotency-Key and the credentials of now.",
  },
] as const;

const carefully: LimitInput = { ratePerMinute: "600", stopAfterFailures: "10", trial: true };

/** Asks for the deliveries, shows what a replay would send, and starts it. */
export function ReplayForm({ actionId, tryOut, start, onCancel }: ReplayFormProps) {
  const router = useRouter();
  const [which, setWhich] = useState<ReplayInput["which"]>("missing");
  const [as, setAs] = useState<ReplayInput["as"]>("now");
  const [limits, setLimits] = useState(carefully);
  const [tried, setTried] = useState<CommandResult<ReplayDryRunView>>();
  const [isPending, startTransition] = useTransition();

  /** An earlier result is about other deliveries. */
  const forget = () => setTried(undefined);

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const read = (name: string) => String(form.get(name) ?? "");
    const input: ReplayInput = {
      which,
      as: which === "missing" ? "now" : as,
      from: read("from"),
      to: read("to"),
      ...limits,
    };
    startTransition(async () => {
      if (tried?.ok !== true) {
        const result = await tryOut(input).catch(() => serverUnreachable);
        return startTransition(() => setTried(result));
      }
      const result = await start(input).catch(() => serverUnreachable);
      startTransition(() => {
        if (!result.ok) return setTried(result);
        toast("Replay started.");
        router.push(`/runs?actionId=${actionId}`);
      });
    });
  }

  const plan = tried?.ok === true ? tried.value : null;
  const errorOf = (name: string) =>
    tried?.ok === false ? tried.errors.find(({ path }) => path.endsWith(name))?.message : undefined;
  return (
    <form onSubmit={onSubmit} onChange={forget} className="grid gap-4">
      <ChoiceGroup
        label="Deliveries"
        name="which"
        choices={sets}
        value={which}
        onChange={setWhich}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <TimeField label="From" name="from" value="" error={errorOf("from")} />
        <TimeField label="To" name="to" value="" error={errorOf("to")} />
      </div>
      {which === "all" && (
        <ChoiceGroup label="Send" name="as" choices={forms} value={as} onChange={setAs} />
      )}
      <LimitFields
        value={limits}
        onChange={setLimits}
        errors={tried?.ok === false ? tried.errors : []}
      />
      {tried?.ok === false && <Notice tone="negative">{tried.message}</Notice>}
      {plan !== null && <ReplayPreview plan={plan} />}
      <DialogButtons>
        <Button look="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" isBusy={isPending} disabled={plan?.total === 0}>
          {plan === null ? "Preview" : startLabel(plan.total)}
        </Button>
      </DialogButtons>
    </form>
  );
}

function startLabel(total: number | null): string {
  return total === null ? "Start replay" : `Queue ${total.toLocaleString("en")}`;
}
