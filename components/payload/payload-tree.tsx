"use client";

import { ChevronsDownUp, ChevronsUpDown, CircleHelp, Search } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { classNames } from "#components/ui/class-names.ts";
import {
  chooseOpen,
  listBranches,
  listRows,
  type PayloadNodeView,
  searchTree,
  stepInTree,
  type TreeRow,
} from "./payload-rows.ts";
import { PayloadTreeRow } from "./payload-tree-row.tsx";

type PayloadTreeProps = {
  readonly root: PayloadNodeView;
  readonly label: string;
  /** The buttons of a row, for the mouse. The keyboard has Enter. Null renders nothing. */
  readonly action: (node: PayloadNodeView) => ReactNode;
  /** Called on Enter, and on a click on a value if `picksOnClick` is set. */
  readonly onPick: (node: PayloadNodeView) => void;
  readonly picksOnClick?: boolean;
  /** Returns the text that Ctrl+C copies from a row. */
  readonly onCopy?: (node: PayloadNodeView) => void;
  /** Rows can be dragged into a text field. */
  readonly isDraggable?: boolean;
  /** Usage hint below the search. */
  readonly hint?: ReactNode;
  /** The keys and their effects, behind a button. Screen readers always get it. */
  readonly help?: string;
};

/** A payload as a tree of plain text that can be searched and navigated by keyboard. */
export function PayloadTree(props: PayloadTreeProps) {
  const { root, label, onPick } = props;
  const [open, setOpen] = useState(() => chooseOpen(root));
  const [query, setQuery] = useState("");
  const [activeId, setActiveId] = useState("0");
  const tree = useRef<HTMLDivElement>(null);
  const hintId = useId();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const search = searchTree(root, query);
  const rows = listRows(root, search === null ? open : search.shown, search?.shown ?? null);
  const active = rows.find(({ id }) => id === activeId) ?? rows[0];
  const branches = listBranches(root);
  const hint = props.hint ?? props.help;

  function toggle(id: string) {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  }

  function focusRow(id: string) {
    setActiveId(id);
    tree.current?.querySelector<HTMLElement>(`[data-row="${id}"]`)?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (active === undefined) return;
    const isCopy = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "c";
    if (isCopy && props.onCopy !== undefined && active.kind !== "more") {
      // Don't override a text selection.
      if (window.getSelection()?.isCollapsed === false) return;
      event.preventDefault();
      props.onCopy(active.node);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (active.kind !== "more") onPick(active.node);
      return;
    }
    const step = stepInTree(rows, active.id, event.key);
    // A letter searches for a name here, even without a match, so it isn't a page shortcut.
    if (step !== null || event.key.length === 1) event.preventDefault();
    if (step === null) return;
    if (step.kind === "focus") focusRow(step.id);
    else toggle(step.id);
  }

  function onRowClick({ id, kind, node }: TreeRow) {
    setActiveId(id);
    if (kind === "branch" && search === null) toggle(id);
    if (kind === "leaf" && props.picksOnClick === true) onPick(node);
  }

  return (
    <div className="grid min-w-0 grid-cols-1 gap-2">
      <div className="flex items-center gap-1">
        <SearchField
          label={label}
          query={query}
          onChange={setQuery}
          onDown={() => active && focusRow(active.id)}
        />
        <TreeButton label="Expand all" onClick={() => setOpen(branches)}>
          <ChevronsUpDown aria-hidden size={15} />
        </TreeButton>
        <TreeButton label="Collapse all" onClick={() => setOpen(new Set())}>
          <ChevronsDownUp aria-hidden size={15} />
        </TreeButton>
        {props.help !== undefined && (
          <TreeButton
            label="Keyboard help"
            isOpen={isHelpOpen}
            onClick={() => setHelpOpen(!isHelpOpen)}
          >
            <CircleHelp aria-hidden size={15} />
          </TreeButton>
        )}
      </div>
      <p aria-live="polite" className="text-xs text-muted-foreground empty:hidden">
        {search !== null && describeHits(search.hits.size)}
      </p>
      {hint !== undefined && (
        <p
          id={hintId}
          className={
            props.hint === undefined && !isHelpOpen ? "sr-only" : "text-xs text-muted-foreground"
          }
        >
          {hint}
        </p>
      )}
      {rows.length > 0 && (
        <div
          ref={tree}
          role="tree"
          aria-label={label}
          aria-describedby={hint === undefined ? undefined : hintId}
          onKeyDown={onKeyDown}
          className="min-w-0 font-mono text-xs"
        >
          {rows.map((row) => (
            <PayloadTreeRow
              key={row.id}
              row={row}
              query={query.trim()}
              isActive={row.id === active?.id}
              isDraggable={props.isDraggable === true}
              onFocus={() => setActiveId(row.id)}
              onClick={() => onRowClick(row)}
            >
              {row.kind === "more" ? null : props.action(row.node)}
            </PayloadTreeRow>
          ))}
        </div>
      )}
    </div>
  );
}

function describeHits(hits: number): string {
  return hits === 0 ? "No matching fields." : hits === 1 ? "1 match." : `${hits} matches.`;
}

type SearchFieldProps = {
  readonly label: string;
  readonly query: string;
  readonly onChange: (query: string) => void;
  readonly onDown: () => void;
};

function SearchField({ label, query, onChange, onDown }: SearchFieldProps) {
  return (
    <div className="relative min-w-0 flex-1">
      <Search aria-hidden size={14} className="absolute top-2 left-2.5 text-muted-foreground" />
      <input
        type="search"
        aria-label={`Search in ${label.toLowerCase()}`}
        placeholder="Search names and values"
        value={query}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.preventDefault();
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          onDown();
        }}
        className={
          "h-8 w-full rounded-md border border-input bg-card pr-2 " +
          "pl-8 text-xs placeholder:text-muted-foreground"
        }
      />
    </div>
  );
}

function TreeButton({
  label,
  isOpen,
  onClick,
  children,
}: {
  label: string;
  /** Whether it shows something. Omitted: it is no such button. */
  isOpen?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-expanded={isOpen}
      title={label}
      onClick={onClick}
      className={classNames(
        "inline-flex size-8 shrink-0 items-center justify-center rounded-md",
        "text-muted-foreground hover:bg-muted hover:text-foreground",
      )}
    >
      {children}
    </button>
  );
}
