import { ChevronDown, ChevronRight } from "lucide-react";
import type { DragEvent, ReactNode } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { maskedProps } from "#components/ui/text/masked-props.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { type PayloadNodeView, type TreeRow, valueText } from "./payload-rows.ts";

type PayloadTreeRowProps = {
  readonly row: TreeRow;
  /** The text to highlight. */
  readonly query: string;
  /** True for the row in the tab order. */
  readonly isActive: boolean;
  readonly isDraggable: boolean;
  readonly onFocus: () => void;
  readonly onClick: () => void;
  /** The row's buttons. */
  readonly children: ReactNode;
};

/** One row of a payload tree. */
export function PayloadTreeRow(props: PayloadTreeRowProps) {
  const { row, isActive, onFocus, onClick, children } = props;
  const { node, kind, level } = row;
  const isDraggable = props.isDraggable && kind !== "more" && node.path !== null;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the surrounding tree handles keys
    <div
      role="treeitem"
      data-row={row.id}
      tabIndex={isActive ? 0 : -1}
      aria-level={level}
      aria-posinset={row.position}
      aria-setsize={row.setSize}
      aria-expanded={kind === "branch" ? row.isOpen : undefined}
      aria-selected={isActive}
      aria-label={labelOf(row)}
      draggable={isDraggable}
      onDragStart={isDraggable ? (event) => startDrag(event, node) : undefined}
      onFocus={onFocus}
      onClick={onClick}
      className={classNames(
        "group/row relative flex min-w-0 items-stretch gap-1 rounded-md pr-1 pl-1 " +
          "hover:bg-muted focus-visible:bg-muted focus-visible:outline-offset-[-2px]",
        kind === "branch" || isDraggable ? "cursor-pointer" : "cursor-default",
      )}
    >
      <Indent levels={level - 1} />
      <span className="flex min-h-6 min-w-0 flex-1 items-start gap-1 py-1">
        <Sign row={row} />
        <span className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">
          {kind === "more" ? (
            <span className="text-muted-foreground">{moreText(node)}</span>
          ) : (
            <>
              <span className="font-medium">
                <Marked text={safeText(String(node.key))} query={props.query} />
              </span>
              <span className="text-muted-foreground">{kind === "leaf" ? ": " : " "}</span>
              <span {...maskedProps(node.text)} className={valueClasses[node.kind]}>
                <Marked text={valueText(node)} query={props.query} />
              </span>
            </>
          )}
        </span>
      </span>
      {children !== null && (
        // The buttons cover the end of the row on hover, so that the row keeps its width. They are
        // always visible on touch screens.
        <span
          className={
            "absolute top-0 right-0 flex items-start gap-0.5 rounded-md bg-muted px-0.5 opacity-0 " +
            "group-focus-within/row:opacity-100 group-hover/row:opacity-100 pointer-coarse:static " +
            "pointer-coarse:shrink-0 pointer-coarse:bg-transparent pointer-coarse:opacity-100"
          }
        >
          {children}
        </span>
      )}
    </div>
  );
}

/** Dragging inserts the field as text, which browsers do by themselves. */
function startDrag(event: DragEvent, { path }: PayloadNodeView) {
  event.dataTransfer.setData("text/plain", `{{ ${path} }}`);
  event.dataTransfer.effectAllowed = "copy";
}

function labelOf({ kind, node }: TreeRow): string {
  if (kind === "more") return moreText(node);
  return `${safeText(String(node.key))}: ${valueText(node)}`;
}

function moreText(node: PayloadNodeView): string {
  const left = node.size - node.children.length;
  const one = node.kind === "list" ? "item" : "field";
  const them = left === 1 ? "it" : "them";
  return `… ${describeCount(left, one)} more, not shown here. Download the raw body to see ${them}.`;
}

/** Deep levels share the last indentation, so that a row never leaves the page. */
const maxIndents = 14;

function Indent({ levels }: { levels: number }) {
  return Array.from({ length: Math.min(levels, maxIndents) }, (_, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
    <span key={at} aria-hidden className="ml-[6px] w-[7px] shrink-0 border-l" />
  ));
}

function Sign({ row: { kind, isOpen } }: { row: TreeRow }) {
  if (kind !== "branch") return <span aria-hidden className="w-3.5 shrink-0" />;
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return <Icon aria-hidden size={14} className="mt-px shrink-0 text-muted-foreground" />;
}

function Marked({ text, query }: { text: string; query: string }) {
  const at = query === "" ? -1 : text.toLowerCase().indexOf(query.toLowerCase());
  if (at === -1) return text;
  const end = at + query.length;
  return (
    <>
      {text.slice(0, at)}
      <mark className="rounded-sm bg-caution-ground text-caution">{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  );
}

const valueClasses: Readonly<Record<PayloadNodeView["kind"], string>> = {
  object: "text-muted-foreground",
  list: "text-muted-foreground",
  text: "text-positive",
  number: "text-primary tabular-nums",
  boolean: "text-caution",
  null: "text-muted-foreground",
};
