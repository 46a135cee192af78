"use client";

import { Check, CircleHelp, Hourglass, type LucideIcon, Minus, Repeat, X } from "lucide-react";
import type { MouseEvent } from "react";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { StepState } from "#lib/schema/act/step-states.ts";
import { layoutSteps, type MapStep, type StepCell } from "./layout-steps.ts";
import { stepIcons } from "./step-icons.ts";

type StepMapProps = {
  readonly label: string;
  readonly steps: readonly MapStep[];
  /** The id of the step that is open beside the drawing. */
  readonly openId?: string | null;
  /** Called before the page scrolls to a step. */
  readonly onOpen?: (id: string) => void;
};

/**
 * The steps as a drawing: from left to right, a branch for failures below its step, and in a run
 * what became of each. Every step links to its details.
 */
export function StepMap({ label, steps, openId = null, onOpen }: StepMapProps) {
  return (
    <nav aria-label={label} className="step-map">
      <StepList cells={layoutSteps(steps)} openId={openId} onOpen={onOpen ?? openDetails} />
    </nav>
  );
}

type ListProps = {
  readonly cells: readonly StepCell[];
  readonly openId: string | null;
  readonly onOpen: (id: string) => void;
};

function StepList({ cells, ...shared }: ListProps) {
  return (
    <ol className="step-map-list">
      {cells.map((cell) => (
        <Cell key={cell.step.id} cell={cell} {...shared} />
      ))}
    </ol>
  );
}

type CellProps = Omit<ListProps, "cells"> & { readonly cell: StepCell };

function Cell({ cell, ...shared }: CellProps) {
  const hasBranch = cell.branch.length > 0;
  const isBranchTaken = cell.branch.some(({ isReached }) => isReached) || undefined;
  return (
    <li className="step-map-cell">
      <span className="step-map-row" data-taken={isBranchTaken}>
        <StepLink cell={cell} {...shared} />
        {cell.hasNext && (
          <span aria-hidden className="step-map-line" data-taken={cell.wentOn || undefined} />
        )}
        {cell.hasNext && hasBranch && <span aria-hidden className="step-map-up" />}
      </span>
      {hasBranch && <Branch cell={cell} isTaken={isBranchTaken} {...shared} />}
    </li>
  );
}

function Branch({ cell, isTaken, ...shared }: CellProps & { readonly isTaken: true | undefined }) {
  return (
    <div className="step-map-branch" data-taken={isTaken}>
      <span className="step-map-label">If it fails</span>
      <StepList cells={cell.branch} {...shared} />
      {cell.hasNext && <span aria-hidden className="step-map-return" />}
    </div>
  );
}

function StepLink({ cell: { step, number, isReached, stop }, openId, onOpen }: CellProps) {
  const { id, key, kind, list, isConditional, onFailure, state } = step;
  const sign = state == null ? undefined : signs[state];
  const Icon = sign?.Icon ?? stepIcons[kind];
  const marks = [
    isConditional && "if its condition matches",
    onFailure === "continue" && "continues if it fails",
  ].filter((mark) => mark !== false);

  function open(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    onOpen(id);
  }

  return (
    <a
      href={`#${id}`}
      onClick={open}
      aria-current={openId === id ? "step" : undefined}
      data-look={isReached ? (sign?.look ?? "plain") : "ahead"}
      data-list={list === null ? undefined : true}
      data-stop={stop === null ? undefined : true}
      className="step-map-step"
    >
      <span className="flex min-w-0 items-center gap-1.5">
        <Icon aria-hidden size={14} className="shrink-0" />
        <span className="step-map-soft tabular-nums">{number}</span>
        <span className="truncate font-medium">{safeText(key)}</span>
        <span className="sr-only">
          {kind}
          {state !== undefined && `, ${state === null ? "not reached" : state}`}
        </span>
      </span>
      {list !== null && (
        <span className="step-map-mark">
          <Repeat aria-hidden size={11} className="shrink-0" />
          <span className="truncate">
            <span className="sr-only">for </span>each of {list === "" ? "…" : safeText(list)}
          </span>
        </span>
      )}
      {marks.map((mark) => (
        <span key={mark} className="step-map-mark">
          {mark}
        </span>
      ))}
      {stop !== null && <span className="step-map-stop">{stop}</span>}
    </a>
  );
}

type Sign = { readonly Icon: LucideIcon; readonly look: "good" | "bad" | "held" | "quiet" };

const signs: Readonly<Partial<Record<StepState, Sign>>> = {
  succeeded: { Icon: Check, look: "good" },
  failed: { Icon: X, look: "bad" },
  skipped: { Icon: Minus, look: "quiet" },
  waiting: { Icon: Hourglass, look: "held" },
  retrying: { Icon: Hourglass, look: "held" },
  calling: { Icon: Hourglass, look: "held" },
  unknown: { Icon: CircleHelp, look: "held" },
};

/** Opens the collapsed details of a step, to which the link leads. */
function openDetails(id: string): void {
  document.getElementById(id)?.querySelector("details")?.setAttribute("open", "");
}
