"use client";

import { ArrowDown, ArrowUp, ChevronRight, GripVertical } from "lucide-react";
import { type PointerEvent, Suspense } from "react";
import { stepIcons } from "#components/step-map/step-icons.ts";
import { IconButton } from "#components/ui/button/icon-button.tsx";
import { ReadyButton } from "#components/ui/button/ready-button.tsx";
import { classNames } from "#components/ui/class-names.ts";
import { lazyPart } from "#components/ui/lazy-part.ts";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { hasRoom } from "../draft/edit-steps.ts";
import type { StepDraft, StepKind } from "../draft/step-draft.ts";
import { viewOf } from "../kinds/kind-views.ts";
import { listMarks } from "./describe-step.ts";
import type { StepsProps } from "./steps-view.ts";

// Loaded after the page: menus are an eighth of its scripts, and a single call has none.
const StepMenu = lazyPart("StepMenu", () => import("./step-menu.tsx"));

type StepHeadProps = StepsProps & {
  readonly step: StepDraft;
  readonly number: string;
  readonly place: { readonly at: number; readonly count: number };
  readonly isOpen: boolean;
  readonly errorCount: number;
  readonly onDragStart: (event: PointerEvent) => void;
};

/** A step on one line, with its commands. */
export function StepHead(props: StepHeadProps) {
  const { view, actions, step, number, place, isOpen, errorCount, onDragStart } = props;
  const { id } = step;
  const key = safeText(step.key);
  const { label, summarize } = viewOf<StepKind>(step.work.kind);
  const Icon = stepIcons[step.work.kind];
  const text = safeText(summarize(step.work));
  const output = view.describeOutput(step);
  return (
    <div className="flex min-w-0 items-center gap-1 py-1 pr-1.5 pl-1">
      <span
        aria-hidden
        title="Drag to another place"
        onPointerDown={onDragStart}
        data-drag-handle
        className={
          "inline-flex h-9 w-6 shrink-0 cursor-grab touch-none items-center justify-center " +
          "rounded-md text-muted-foreground hover:bg-muted active:cursor-grabbing"
        }
      >
        <GripVertical size={15} />
      </span>
      <h4 className="min-w-0 flex-1">
        <ReadyButton
          aria-expanded={isOpen}
          onClick={() => actions.open(isOpen ? null : id)}
          className={
            "flex w-full min-w-0 flex-wrap items-center gap-x-2.5 gap-y-0.5 " +
            "rounded-md px-1.5 py-2 text-left hover:bg-muted"
          }
        >
          <ChevronRight
            aria-hidden
            size={15}
            className={classNames(
              "shrink-0 text-muted-foreground transition-transform motion-reduce:transition-none",
              isOpen && "rotate-90",
            )}
          />
          <span className="text-sm text-muted-foreground tabular-nums">{number}</span>
          <Icon aria-hidden size={15} className="shrink-0 text-muted-foreground" />
          <span className="max-w-full truncate text-sm font-medium">
            <span className="sr-only">{label} </span>
            {key === "" ? "(no key)" : key}
          </span>
          <span className="min-w-0 flex-1 basis-40 truncate font-mono text-xs text-muted-foreground">
            {text}
          </span>
          {listMarks(step).map((mark) => (
            <span key={mark} className="text-xs text-muted-foreground">
              {safeText(mark)}
            </span>
          ))}
          {output !== null && <Badge>{safeText(output)}</Badge>}
          {errorCount > 0 && <Badge tone="negative">Fix</Badge>}
        </ReadyButton>
      </h4>
      {place.count > 1 && (
        <span className="inline-flex shrink-0">
          <IconButton
            label={`Move ${key} up`}
            // Not disabled, because the focus would be lost at the end.
            aria-disabled={place.at === 0}
            onClick={() => actions.move(id, place.at - 1)}
            className="aria-disabled:opacity-40"
          >
            <ArrowUp aria-hidden size={15} />
          </IconButton>
          <IconButton
            label={`Move ${key} down`}
            aria-disabled={place.at === place.count - 1}
            onClick={() => actions.move(id, place.at + 1)}
            className="aria-disabled:opacity-40"
          >
            <ArrowDown aria-hidden size={15} />
          </IconButton>
        </span>
      )}
      <Suspense fallback={<span className="size-9 shrink-0" />}>
        <StepMenu
          name={key}
          duplicate={hasRoom(view.steps) ? () => actions.duplicate(id) : null}
          remove={() => actions.remove(id)}
        />
      </Suspense>
    </div>
  );
}
