"use client";

import { Check, CircleHelp, Hourglass, type LucideIcon, Minus, Repeat, X } from "lucide-react";
import type { KeyboardEvent, MouseEvent, PointerEvent, ReactNode } from "react";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { StepState } from "#lib/schema/act/step-limits.ts";
import { layoutSteps, type MapStep, type StepCell } from "./layout-steps.ts";
import { stepIcons } from "./step-icons.ts";
import { isLeftOf, useStepDrag } from "./use-step-drag.ts";

type StepMapProps = {
  readonly label: string;
  readonly steps: readonly MapStep[];
  /** The id of the step that is open beside the drawing. */
  readonly openId?: string | null;
  /** Called before the page scrolls to a step. */
  readonly onOpen?: (id: string) => void;
  /** Omitted: the steps can't be changed here. */
  readonly edit?: MapEdit | undefined;
};

/** A place for a new step. */
export type MapPlace = {
  /** The step whose failure it handles. Null: it is a step of the action itself. */
  readonly branchOf: string | null;
  /** The position among its siblings. */
  readonly at: number;
};

type MapEdit = {
  /** Moves a step to another position among its siblings. */
  readonly move: (id: string, to: number) => void;
  /** The menu that adds a step at a place. */
  readonly addAt: (place: MapPlace) => ReactNode;
};

/**
 * The steps as a drawing: from left to right, a branch for failures below its step, and in a run
 * what became of each. Every step links to its details. The arrow keys go from one to the next.
 */
export function StepMap({ label, steps, openId = null, onOpen, edit }: StepMapProps) {
  const shared = { openId, onOpen: onOpen ?? openDetails, edit };
  return (
    <nav aria-label={label} className="step-map" onKeyDown={goByArrow}>
      <StepList cells={layoutSteps(steps)} branchOf={null} {...shared} />
    </nav>
  );
}

/** To the link or button before or after the one with the focus. */
function goByArrow(event: KeyboardEvent<HTMLElement>) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  // Menus are elsewhere in the page, but their keys arrive here too.
  if (!event.currentTarget.contains(event.target as Node)) return;
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>("a, button")];
  const next = items[items.indexOf(event.target as HTMLElement) + by];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

type Shared = {
  readonly openId: string | null;
  readonly onOpen: (id: string) => void;
  readonly edit: MapEdit | undefined;
};

type ListProps = Shared & {
  readonly cells: readonly StepCell[];
  readonly branchOf: string | null;
};

function StepList({ cells, branchOf, ...shared }: ListProps) {
  const { edit } = shared;
  const { list, drag, start } = useStepDrag((at, to) => {
    const id = cells[at]?.step.id;
    if (id !== undefined) edit?.move(id, to);
  }, isLeftOf);
  return (
    <ol ref={list} className="step-map-list">
      {cells.map((cell, at) => (
        <Cell
          key={cell.step.id}
          cell={cell}
          at={at}
          add={edit?.addAt({ branchOf, at: at + 1 })}
          drag={
            drag === null ? undefined : drag.id === at ? "from" : drag.to === at ? "to" : undefined
          }
          onDragStart={(event) => start(event, at, at)}
          {...shared}
        />
      ))}
    </ol>
  );
}

type CellProps = Shared & {
  readonly cell: StepCell;
  readonly at: number;
  /** The menu that adds a step after it. */
  readonly add: ReactNode;
  /** It is dragged, or the dragged one would take its place. */
  readonly drag: "from" | "to" | undefined;
  readonly onDragStart: (event: PointerEvent) => void;
};

function Cell({ cell, at, add, drag, onDragStart, ...shared }: CellProps) {
  const hasBranch = cell.branch.length > 0;
  const isBranchTaken = cell.branch.some(({ isReached }) => isReached) || undefined;
  return (
    <li className="step-map-cell" data-item data-drag={drag}>
      <span className="step-map-row" data-taken={isBranchTaken}>
        <StepLink cell={cell} at={at} onDragStart={onDragStart} {...shared} />
        {add != null && <span aria-hidden className="step-map-line" data-plain data-taken />}
        {add}
        {cell.hasNext && (
          <span aria-hidden className="step-map-line" data-taken={cell.wentOn || undefined} />
        )}
        {cell.hasNext && hasBranch && <span aria-hidden className="step-map-up" />}
      </span>
      {hasBranch && <Branch cell={cell} isTaken={isBranchTaken} {...shared} />}
    </li>
  );
}

type BranchProps = Shared & { readonly cell: StepCell; readonly isTaken: true | undefined };

function Branch({ cell, isTaken, ...shared }: BranchProps) {
  return (
    <div className="step-map-branch" data-taken={isTaken}>
      <span className="step-map-label">If it fails</span>
      <StepList cells={cell.branch} branchOf={cell.step.id} {...shared} />
      {cell.hasNext && <span aria-hidden className="step-map-return" />}
    </div>
  );
}

type LinkProps = Omit<CellProps, "add" | "drag">;

function StepLink({ cell, at, openId, onOpen, edit, onDragStart }: LinkProps) {
  const { step, number, isReached, stop } = cell;
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

  function onKeyDown(event: KeyboardEvent) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined || !event.altKey || edit === undefined) return;
    event.preventDefault();
    edit.move(id, at + by);
  }

  return (
    <a
      href={`#${id}`}
      onClick={open}
      onKeyDown={onKeyDown}
      onPointerDown={edit === undefined ? undefined : onDragStart}
      draggable={edit === undefined ? undefined : false}
      aria-keyshortcuts={edit === undefined ? undefined : "Alt+ArrowLeft Alt+ArrowRight"}
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
