"use client";

import { type FormEvent, useState, useTransition } from "react";
import { LimitFields } from "#components/lists/limit-fields.tsx";
import { type LimitInput, trialOnly } from "#components/lists/limit-input.ts";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { ChoiceGroup } from "#components/ui/form/choice-group.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { DialogButtons } from "#components/ui/overlay/dialog.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

export type MissingType = {
  readonly eventType: string;
  readonly eventCount: number;
  readonly missingCount: number;
};

export type TakeInFormProps = {
  readonly hookId: string;
  readonly gapId: string;
  /** Those of which something is missing. */
  readonly types: readonly MissingType[];
  /** Something of the time arrived. */
  readonly hasArrived: boolean;
  readonly takeIn: (
    hookId: string,
    gapId: string,
    run: boolean,
    eventTypes: readonly string[],
    limits: LimitInput,
  ) => Promise<CommandResult<null>>;
  /** The provider sends them again, instead. */
  readonly isAskedAgain: boolean;
  readonly onClose: () => void;
};

const choices = [
  {
    value: "run",
    title: "Run the actions",
    text: "As if the events had just arrived.",
  },
  {
    value: "store",
    title: "Only store them",
    text: "No action runs, and nothing is published. A replay can run them later.",
  },
] as const;

/** Asks which missing events to take in, and whether actions run. */
export function TakeInForm(props: TakeInFormProps) {
  const { hookId, gapId, types, hasArrived, takeIn, isAskedAgain, onClose } = props;
  const [run, setRun] = useState<"run" | "store">("run");
  const [limits, setLimits] = useState(trialOnly);
  const [chosen, setChosen] = useState(() => chooseUsual(types, hasArrived));
  const [failed, setFailed] = useState<CommandResult<null>>();
  const [isPending, startTransition] = useTransition();
  const count = types.reduce(
    (sum, type) => sum + (chosen.has(type.eventType) ? type.missingCount : 0),
    0,
  );

  function toggle(eventType: string, isChosen: boolean) {
    const others = [...chosen].filter((type) => type !== eventType);
    setChosen(new Set(isChosen ? [...others, eventType] : others));
  }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    startTransition(async () => {
      const given = run === "run" && !isAskedAgain ? limits : { ...limits, trial: false };
      const taken = await takeIn(hookId, gapId, run === "run", [...chosen], given).catch(
        () => serverUnreachable,
      );
      startTransition(() => {
        if (!taken.ok) return setFailed(taken);
        toast(
          isAskedAgain
            ? "The provider is being asked to send them again."
            : "The missing events are being taken in.",
        );
        onClose();
      });
    });
  }

  return (
    <Form onSubmit={onSubmit} rejection={failed?.ok === false ? failed : undefined}>
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-sm font-medium">Event types</legend>
        <div className="grid max-h-60 gap-2 overflow-y-auto">
          {types.map(({ eventType, eventCount, missingCount }) => (
            <CheckField
              key={eventType}
              label={safeText(eventType)}
              text={
                missingCount === eventCount
                  ? `${missingCount.toLocaleString("en")} missing, none arrived`
                  : `${missingCount.toLocaleString("en")} of ${eventCount.toLocaleString("en")} missing`
              }
              checked={chosen.has(eventType)}
              onChange={(isChosen) => toggle(eventType, isChosen)}
            />
          ))}
        </div>
      </fieldset>
      {!isAskedAgain && (
        <ChoiceGroup label="Then" name="run" choices={choices} value={run} onChange={setRun} />
      )}
      {run === "run" && !isAskedAgain && (
        <LimitFields
          value={limits}
          onChange={setLimits}
          errors={failed?.ok === false ? failed.errors : []}
        />
      )}
      <DialogButtons>
        <Button look="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" isBusy={isPending} disabled={count === 0}>
          {isAskedAgain ? "Ask for" : "Take in"} {count.toLocaleString("en")}
        </Button>
      </DialogButtons>
    </Form>
  );
}

/** The endpoint may not be subscribed to types of which nothing arrived. */
function chooseUsual(types: readonly MissingType[], hasArrived: boolean): ReadonlySet<string> {
  const usual = types.filter(({ eventCount, missingCount }) => eventCount > missingCount);
  return new Set((hasArrived ? usual : types).map(({ eventType }) => eventType));
}
