import type { RunOrder } from "#lib/schema/act/order.ts";
import type { SuccessRule } from "#lib/schema/act/success.ts";
import type { Breaker } from "#lib/schema/field/breaker.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import { type FilterDraft, noFilter, readFilterDraft, toFilterDraft } from "./filter-draft.ts";

/** The success rule, the order, and the circuit breaker, as text fields. */
export type ControlDraft = {
  /** Separated by commas. Empty: every 2xx. */
  readonly successStatuses: string;
  readonly successWhen: FilterDraft;
  /** A template. Empty: no order. */
  readonly orderBy: string;
  readonly orderSkip: string;
  readonly hasBreaker: boolean;
  readonly breaker: BreakerDraft;
};

export type BreakerDraft = Readonly<Record<keyof Breaker, string>>;

export const noControl: ControlDraft = {
  successStatuses: "",
  successWhen: noFilter,
  orderBy: "",
  orderSkip: "",
  hasBreaker: false,
  breaker: { failures: "5", windowSeconds: "60", openSeconds: "60" },
};

export type SavedControl = {
  readonly success: SuccessRule | null;
  readonly order: RunOrder | null;
  readonly breaker: Breaker | null;
};

export function toControlDraft({ success, order, breaker }: SavedControl): ControlDraft {
  return {
    successStatuses: (success?.statuses ?? []).join(", "),
    successWhen: toFilterDraft(success?.when ?? null),
    orderBy: order?.by ?? "",
    orderSkip: String(order?.skipAfterSeconds ?? ""),
    hasBreaker: breaker !== null,
    breaker: breaker === null ? noControl.breaker : toTexts(breaker),
  };
}

function toTexts({ failures, windowSeconds, openSeconds }: Breaker): BreakerDraft {
  return {
    failures: String(failures),
    windowSeconds: String(windowSeconds),
    openSeconds: String(openSeconds),
  };
}

/** The draft as API input. The schema rejects text that isn't a number. */
export function readControlDraft(draft: ControlDraft, errors: FieldError[]) {
  const { failures, windowSeconds, openSeconds } = draft.breaker;
  const breaker = {
    failures: Number(failures),
    windowSeconds: Number(windowSeconds),
    openSeconds: Number(openSeconds),
  };
  const skip = draft.orderSkip.trim();
  const order = {
    by: draft.orderBy.trim(),
    skipAfterSeconds: skip === "" ? null : Number(skip),
  };
  return {
    success: readSuccess(draft, errors),
    order: order.by === "" ? null : order,
    breaker: draft.hasBreaker ? breaker : null,
  };
}

function readSuccess({ successStatuses, successWhen }: ControlDraft, errors: FieldError[]) {
  const when = readFilterDraft(successWhen);
  if (!when.ok)
    errors.push(
      ...when.errors.map((error) => ({
        ...error,
        path: `success.when${error.path.slice("filter".length)}`,
      })),
    );
  const words = successStatuses.split(/[\s,]+/).filter((text) => text !== "");
  const statuses = words.map((word) => (/^\d+$/.test(word) ? Number(word) : word));
  const filter = when.ok ? when.filter : null;
  if (statuses.length === 0 && filter === null) return null;
  return { statuses: statuses.length === 0 ? null : statuses, when: filter };
}

/** The summary when the section is collapsed. */
export function summarizeControl(draft: ControlDraft): string {
  const rows = readFilterDraft(draft.successWhen);
  const hasRule = draft.successStatuses.trim() !== "" || (rows.ok && rows.filter !== null);
  const parts = [
    hasRule ? "Custom success rule" : "Every 2xx is a success",
    draft.orderBy.trim() === "" ? "runs side by side" : "runs in order",
    draft.hasBreaker ? `stops after ${draft.breaker.failures} failures` : "no circuit breaker",
  ];
  return `${parts.join(", ")}.`;
}
