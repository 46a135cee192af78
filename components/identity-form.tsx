"use client";

import { useEffect, useState } from "react";
import type { CommandResult } from "#lib/schema/command-result.ts";
import { describeIdentityCheck, type IdentityCheck } from "./describe-identity-check.ts";
import type { SaveHook } from "./save-hook.ts";
import { SourceRows } from "./source-rows.tsx";
import { describeRule, type SourceRule, type StoredRule, toSourceRule, toStoredRule } from "./source-rule.ts";
import { Button } from "./ui/button.tsx";
import { ChoiceGroup } from "./ui/choice-group.tsx";
import { Form } from "./ui/form.tsx";
import { toast } from "./ui/toast.ts";
import { useCommand } from "./use-command.ts";

export type CheckIdentity = (
  hookId: string,
  what: "dedupe" | "eventType",
  rule: StoredRule,
) => Promise<CommandResult<IdentityCheck>>;

/** What this sender's events call for; without a sender, what most of them do. */
export type UsualRule = { readonly rule: StoredRule; readonly sender: string | null };

type IdentityFormProps = {
  readonly hookId: string;
  readonly what: "dedupe" | "eventType";
  readonly stored: StoredRule;
  readonly usual: UsualRule;
  readonly save: SaveHook;
  readonly check: CheckIdentity;
};

const words = {
  dedupe: {
    label: "Two deliveries are the same event if they agree in",
    none: "Nothing: each delivery is an event of its own",
    noneText: "What a sender sends twice runs twice.",
    saved: "Saved. It holds for what arrives from now on.",
  },
  eventType: {
    label: "The type of an event is read from",
    none: "Nothing: events have no type",
    noneText: "Lists and filters can’t tell them apart by type.",
    saved: "Saved. It holds for what arrives from now on.",
  },
} as const;

/** Where a hook finds the id or the type of an event; what that would have made of the latest deliveries stands below. */
export function IdentityForm({ hookId, what, stored, usual, save, check }: IdentityFormProps) {
  const [rule, setRule] = useState<SourceRule>(() => toSourceRule(stored, usual.rule));
  const { label, none, noneText, saved } = words[what];
  const current = toStoredRule(rule, usual.rule);
  const { fields, message, isPending, onSubmit } = useCommand(async () => {
    const result = await save(hookId, { [what]: current });
    if (result.ok) toast(saved);
    return result;
  });
  return (
    <Form onSubmit={onSubmit} message={message}>
      <ChoiceGroup
        label={label}
        name={`${what}-mode`}
        value={rule.mode}
        onChange={(mode) => setRule({ ...rule, mode })}
        choices={[
          {
            value: "default",
            title: usual.sender === null ? "The usual" : `As ${usual.sender} sends it`,
            text: upperFirst(`${describeRule(usual.rule)}.`),
          },
          { value: "own", title: "What I choose" },
          { value: "none", title: none, text: noneText },
        ]}
      />
      {rule.mode === "own" && (
        <SourceRows
          rows={rule.rows}
          onChange={(rows) => setRule({ ...rule, rows })}
          canHash={what === "dedupe"}
          errorAt={(at) => findError(fields, what, at, rule.rows.length)}
        />
      )}
      <LiveCheck hookId={hookId} what={what} rule={current} check={check} />
      <div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          Save
        </Button>
      </div>
    </Form>
  );
}

/** One source is not in a list, so its path has no number. */
function findError(
  fields: Readonly<Record<string, string>>,
  what: string,
  at: number,
  count: number,
): string | undefined {
  const root = count === 1 ? what : `${what}.${at}`;
  return fields[`${root}.path`] ?? fields[`${root}.name`] ?? (at === 0 ? fields[what] : undefined);
}

type LiveCheckProps = Pick<IdentityFormProps, "hookId" | "what" | "check"> & { readonly rule: StoredRule };

const pauseMs = 400;

function LiveCheck({ hookId, what, rule, check }: LiveCheckProps) {
  const [result, setResult] = useState<IdentityCheck | "refused">();
  const asked = JSON.stringify(rule);

  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(async () => {
      // A rule that is half typed is refused: then nothing is said about it.
      const next = await check(hookId, what, JSON.parse(asked)).catch(() => undefined);
      if (isCurrent) setResult(next?.ok === true ? next.value : "refused");
    }, pauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [hookId, what, asked, check]);

  return (
    <p aria-live="polite" className="min-h-10 text-sm text-muted-foreground">
      {result === undefined && "Looking at the latest deliveries…"}
      {typeof result === "object" && describeIdentityCheck(what, result, rule)}
    </p>
  );
}

function upperFirst(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
