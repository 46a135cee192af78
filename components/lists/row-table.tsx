// biome-ignore-all lint/a11y/noRedundantRoles: Safari drops the roles of a table drawn as blocks.
"use client";

import type { PointerEvent, ReactNode } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { shorten } from "#lib/base/shorten.ts";

type RowTableProps = {
  readonly columns: readonly {
    readonly title: string;
    readonly width: string;
    /** The whole of a shortened title. */
    readonly hint?: string;
    /** A width of its own, which a class can't say. The style policy allows no style attributes. */
    readonly pixels?: number | null;
    /** In place of the title. */
    readonly head?: ReactNode;
  }[];
  /** The name of a last column with menus, for screen readers. */
  readonly menu?: string;
  /** A class of rows.css. */
  readonly className: string;
  readonly children: ReactNode;
};

/**
 * A table on wide screens, with each row a block on phones. The roles keep it a table for screen
 * readers. Rows are rendered from short props, because the page contains both their HTML and the
 * props.
 */
export function RowTable({ columns, menu, className, children }: RowTableProps) {
  return (
    <Card className={menu === undefined ? "overflow-x-auto" : undefined}>
      <table role="table" className={classNames("rows", className)} onPointerOver={showWhole}>
        {columns.some(({ pixels }) => typeof pixels === "number") && (
          <colgroup>
            {columns.map(({ title, hint = title, pixels }) => (
              <col key={hint} width={pixels ?? undefined} />
            ))}
          </colgroup>
        )}
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ title, width, hint = title, head }) => (
              <th
                role="columnheader"
                scope="col"
                key={hint}
                className={width}
                title={hint === title ? undefined : safeText(hint)}
              >
                {head ?? safeText(title)}
              </th>
            ))}
            {menu !== undefined && (
              <th role="columnheader" scope="col">
                <span className="sr-only">{menu}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">{children}</tbody>
      </table>
    </Card>
  );
}

/** The tooltip of a text that is cut off. */
function showWhole({ target }: PointerEvent): void {
  if (
    !(target instanceof HTMLElement) ||
    !target.matches(
      ".row-name, .row-rest, .hook-link, .row-detail > span, .row-value > span, .row-body",
    )
  )
    return;
  if (target.scrollWidth > target.clientWidth) target.title = target.textContent;
  else target.removeAttribute("title");
}

export function Row({ children }: { children: ReactNode }) {
  return <tr role="row">{children}</tr>;
}

export function Cell({ className, children }: { className?: string; children?: ReactNode }) {
  return (
    <td role="cell" className={className}>
      {children}
    </td>
  );
}

const maxChars = 200;

/** Untrusted text, or a placeholder if there is none. */
export function RowText({ value, missing }: { value: string | undefined; missing: string }) {
  if (value === undefined) return <span className="row-missing">{missing}</span>;
  return safeText(shorten(value, maxChars));
}
