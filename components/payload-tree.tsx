"use client";

import { ChevronDown, ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { safeText } from "./ui/safe-text.ts";

export type PayloadNodeView = {
  readonly key: string | number | null;
  readonly path: string | null;
  readonly kind: "object" | "list" | "text" | "number" | "boolean" | "null";
  readonly text: string;
  readonly size: number;
  readonly isCut: boolean;
  readonly children: readonly PayloadNodeView[];
};

type PayloadTreeProps = {
  readonly root: PayloadNodeView;
  /** What can be done with a field; null draws nothing. */
  readonly action: (node: PayloadNodeView) => ReactNode;
};

/** A payload as a tree: names and values as text, whatever they hold; big branches start closed. */
export function PayloadTree({ root, action }: PayloadTreeProps) {
  const open = new Set<PayloadNodeView>();
  chooseOpen(root, open);
  if (root.children.length === 0) return <p className="font-mono text-xs">{valueText(root)}</p>;
  return (
    <ul className="grid gap-px font-mono text-xs" aria-label="Payload">
      {root.children.map((node) => (
        <Branch key={node.key} node={node} action={action} open={open} />
      ))}
      {root.isCut && <More node={root} />}
    </ul>
  );
}

/** Level by level, as long as it all fits a screen or two. */
function chooseOpen(root: PayloadNodeView, open: Set<PayloadNodeView>): void {
  let rows = root.children.length;
  const waiting = [...root.children];
  for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) {
    if (node.children.length === 0) continue;
    rows += node.children.length;
    if (rows > mostOpenRows) return;
    open.add(node);
    waiting.push(...node.children);
  }
}

const mostOpenRows = 80;

type BranchProps = {
  readonly node: PayloadNodeView;
  readonly action: PayloadTreeProps["action"];
  readonly open: ReadonlySet<PayloadNodeView>;
};

function Branch({ node, action, open }: BranchProps) {
  const [isOpen, setOpen] = useState(open.has(node));
  const name = <span className="font-medium break-all">{safeText(String(node.key))}</span>;
  return (
    <li className="min-w-0">
      <div className="flex min-w-0 items-start gap-1 rounded-md px-1 py-0.5 hover:bg-muted">
        {node.children.length > 0 ? (
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="flex min-h-6 min-w-0 flex-1 items-start gap-1 rounded-sm py-0.5 text-left"
          >
            {isOpen ? (
              <ChevronDown aria-hidden size={14} className="mt-0.5 shrink-0 text-muted-foreground" />
            ) : (
              <ChevronRight aria-hidden size={14} className="mt-0.5 shrink-0 text-muted-foreground" />
            )}
            <span>
              {name} <span className="text-muted-foreground">{valueText(node)}</span>
            </span>
          </button>
        ) : (
          <span className="min-h-6 min-w-0 flex-1 py-0.5 pl-[18px] break-all whitespace-pre-wrap">
            {name}
            <span className="text-muted-foreground">: </span>
            <span className={valueClasses[node.kind]}>{valueText(node)}</span>
          </span>
        )}
        {action(node)}
      </div>
      {isOpen && (
        <ul className="ml-[9px] grid gap-px border-l pl-2.5">
          {node.children.map((child) => (
            <Branch key={child.key} node={child} action={action} open={open} />
          ))}
          {node.isCut && <More node={node} />}
        </ul>
      )}
    </li>
  );
}

const valueClasses: Readonly<Record<PayloadNodeView["kind"], string>> = {
  object: "",
  list: "",
  text: "text-positive",
  number: "text-primary tabular-nums",
  boolean: "text-caution",
  null: "text-muted-foreground",
};

function valueText({ kind, text, size, isCut, children }: PayloadNodeView): string {
  const notShown = isCut && children.length === 0 ? ", not shown here" : "";
  if (kind === "object") return size === 0 ? "{}" : `{${count(size, "field")}${notShown}}`;
  if (kind === "list") return size === 0 ? "[]" : `[${count(size, "item")}${notShown}]`;
  if (kind !== "text") return isCut ? `${text}…` : text;
  return isCut ? `"${safeText(text)}…" (${size.toLocaleString("en")} characters)` : `"${safeText(text)}"`;
}

function More({ node }: { node: PayloadNodeView }) {
  const left = node.size - node.children.length;
  const one = node.kind === "list" ? "item" : "field";
  return (
    <li className="py-1 pl-[22px] text-muted-foreground">
      … {count(left, one)} more, not shown here. Download the raw body to see {left === 1 ? "it" : "them"}.
    </li>
  );
}

function count(number: number, one: string): string {
  return `${number.toLocaleString("en")} ${one}${number === 1 ? "" : "s"}`;
}
