// biome-ignore-all lint/a11y/noRedundantRoles: Safari drops the roles of a table drawn as blocks.
import type { ReactNode } from "react";
import { Card } from "#components/ui/card.tsx";
import { safeText } from "#components/ui/safe-text.ts";

type RowTableProps = {
  readonly columns: readonly { readonly title: string; readonly width: string }[];
  readonly children: ReactNode;
};

/**
 * A table on wide screens, with each row a block on phones. The roles keep it a table for screen
 * readers.
 */
export function RowTable({ columns, children }: RowTableProps) {
  return (
    <Card className="overflow-hidden">
      <table role="table" className="block w-full table-fixed text-sm md:table">
        <thead
          role="rowgroup"
          className="hidden border-b bg-muted/60 text-left text-muted-foreground md:table-header-group"
        >
          <tr role="row">
            {columns.map(({ title, width }) => (
              <th
                role="columnheader"
                scope="col"
                key={title}
                className={`px-3 py-2 font-medium ${width}`}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="block divide-y md:table-row-group">
          {children}
        </tbody>
      </table>
    </Card>
  );
}

/** One line. On phones state and time are above it, and the numbers below. */
export function Row({ children }: { children: ReactNode }) {
  return (
    <tr
      role="row"
      className="relative flex flex-wrap items-center gap-x-2 gap-y-1 px-4 py-2.5 hover:bg-muted/50 has-[a:focus-visible]:bg-muted md:table-row"
    >
      {children}
    </tr>
  );
}

export function Cell({ className = "", children }: { className?: string; children: ReactNode }) {
  return (
    <td
      role="cell"
      className={`block min-w-0 align-middle md:table-cell md:px-3 md:py-2 ${className}`}
    >
      {children}
    </td>
  );
}

/** The classes of a cell with a number. */
export const numberCell = "text-xs text-muted-foreground tabular-nums md:text-right md:text-sm";

const maxChars = 200;

/** Text of a stranger, or what to say if there is none. */
export function RowText({ value, missing }: { value: string | null; missing: string }) {
  if (value === null) return <span className="font-normal text-muted-foreground">{missing}</span>;
  return safeText(value.length > maxChars ? `${value.slice(0, maxChars)}…` : value);
}
