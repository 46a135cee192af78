"use client";

import { classNames } from "#components/ui/class-names.ts";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { FilterDraft } from "../draft/filter-draft.ts";
import { addType, canLimit, readTypes, removeType } from "./limit-filter.ts";

type TypeProposalProps = {
  readonly filter: FilterDraft;
  readonly onChange: (filter: FilterDraft) => void;
  /** The event type of the chosen delivery. Null: it has none, or there is no delivery. */
  readonly eventType: string | null;
  /** All event types that the hook has seen. */
  readonly eventTypes: readonly string[];
};

/**
 * Runs the action only for the event type of the chosen delivery. Other types seldom have the same
 * fields, so if the hook gets several, the proposal stands out until it is accepted.
 */
export function TypeProposal({ filter, onChange, eventType, eventTypes }: TypeProposalProps) {
  if (eventType === null || !canLimit(filter)) return null;
  const types = readTypes(filter);
  const isChosen = types?.includes(eventType) === true;
  const others = eventTypes.filter((type) => type !== eventType);
  const standsOut = others.length > 0 && types === null;
  return (
    <div
      className={classNames(
        "min-w-0 rounded-md border px-3 py-2.5",
        standsOut && "border-primary bg-primary/5",
      )}
    >
      <CheckField
        label={
          <>
            {types === null || isChosen ? "Only for" : "Also for"}{" "}
            <code className="font-mono text-xs wrap-anywhere">{safeText(eventType)}</code>
          </>
        }
        text={explain(eventType, types, others)}
        checked={isChosen}
        onChange={(isOn) =>
          onChange(isOn ? addType(filter, eventType) : removeType(filter, eventType))
        }
      />
    </div>
  );
}

function explain(
  eventType: string,
  types: readonly string[] | null,
  others: readonly string[],
): string {
  if (types === null)
    return others.length === 0
      ? "Otherwise the action runs for every event type that this hook gets."
      : `This hook also gets ${listNames(others)}. The action would run for them too.`;
  const allowed = types.filter((type) => type !== eventType);
  if (allowed.length === types.length) return `The action runs only for ${listNames(types)}.`;
  return allowed.length === 0
    ? "Deliveries of other event types are skipped."
    : `The action also runs for ${listNames(allowed)}. Other event types are skipped.`;
}

const maxNames = 2;

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).map(safeText);
  const left = names.length - shown.length;
  if (left > 0) return `${shown.join(", ")}, and ${left} more`;
  return shown.join(" and ");
}
