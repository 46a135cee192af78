"use client";

import { ChoiceGroup } from "#components/ui/form/choice-group.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { useLatestResponse } from "#components/ui/use-latest.ts";
import { capitalize } from "#lib/base/capitalize.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { describeIdentityCheck, type IdentityCheck } from "./describe-identity-check.ts";
import { SourceRows } from "./source-rows.tsx";
import { describeRule, type SourceRule, type StoredRule, toStoredRule } from "./source-rule.ts";

export type CheckIdentity = (
  hookId: string,
  what: "dedupe" | "eventType",
  rule: StoredRule,
) => Promise<CommandResult<IdentityCheck>>;

/** The default for the hook's provider, or for most providers if it has none. */
export type DefaultRule = { readonly rule: StoredRule; readonly provider: string | null };

type IdentityFieldsProps = {
  readonly hookId: string;
  readonly what: "dedupe" | "eventType";
  readonly rule: SourceRule;
  readonly onChange: (rule: SourceRule) => void;
  readonly usual: DefaultRule;
  /** Errors by field. */
  readonly fields: Readonly<Record<string, string>>;
  readonly check: CheckIdentity;
};

const words = {
  dedupe: {
    label: "An event is identified by",
    none: "Nothing: each delivery is a new event",
    noneText: "Repeated deliveries run again.",
  },
  eventType: {
    label: "The event type is read from",
    none: "Nothing: events have no type",
    noneText: "Lists and filters can't tell them apart by type.",
  },
} as const;

/** The sources of a hook's event id or type, with their result for the latest deliveries below. */
export function IdentityFields(props: IdentityFieldsProps) {
  const { hookId, what, rule, onChange, usual, fields, check } = props;
  const { label, none, noneText } = words[what];
  return (
    <>
      <ChoiceGroup
        label={label}
        name={`${what}-mode`}
        value={rule.mode}
        onChange={(mode) => onChange({ ...rule, mode })}
        choices={[
          {
            value: "default",
            title: usual.provider === null ? "Default" : `Default for ${usual.provider}`,
            text: capitalize(`${describeRule(usual.rule)}.`),
          },
          { value: "own", title: "Custom" },
          { value: "none", title: none, text: noneText },
        ]}
      />
      {rule.mode === "own" && (
        <SourceRows
          rows={rule.rows}
          onChange={(rows) => onChange({ ...rule, rows })}
          canHash={what === "dedupe"}
          errorAt={(at) => findError(fields, what, at, rule.rows.length)}
        />
      )}
      <LiveCheck hookId={hookId} what={what} rule={toStoredRule(rule, usual.rule)} check={check} />
    </>
  );
}

/** A single source isn't in a list, so its error path has no index. */
function findError(
  fields: Readonly<Record<string, string>>,
  what: string,
  at: number,
  count: number,
): string | undefined {
  const root = count === 1 ? what : `${what}.${at}`;
  const path = Object.keys(fields).find((field) => field.startsWith(`${root}.`));
  return path === undefined ? (at === 0 ? fields[what] : undefined) : fields[path];
}

type LiveCheckProps = Pick<IdentityFieldsProps, "hookId" | "what" | "check"> & {
  readonly rule: StoredRule;
};

const pauseMs = 400;

function LiveCheck({ hookId, what, rule, check }: LiveCheckProps) {
  // A half-typed rule is invalid, so nothing is shown for it.
  const checked = useLatestResponse(JSON.stringify(rule), pauseMs, (asked) =>
    check(hookId, what, JSON.parse(asked)).catch(() => serverUnreachable),
  );

  return (
    <p aria-live="polite" className="min-h-10 text-sm text-muted-foreground">
      {checked === undefined && "Checking the latest deliveries…"}
      {checked?.ok === true && describeIdentityCheck(what, checked.value, rule)}
    </p>
  );
}
