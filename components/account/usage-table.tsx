import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { describeSize } from "#lib/base/describe-size.ts";

type Counts = {
  readonly deliveries: number;
  readonly bytes: number;
  readonly events: number;
  readonly sends: number;
  readonly calls: number;
};

type UsageRow = Counts & { readonly key: string; readonly name: string | null };

type UsageTableProps = {
  readonly by: "day" | "hook" | "recipient";
  readonly rows: readonly UsageRow[];
  /** Whether these are all rows, so that their sum is the total. */
  readonly isAll: boolean;
};

const titles = { day: "Day (UTC)", hook: "Hook", recipient: "Recipient" } as const;

/** What was used, a row for each day, hook, or recipient. */
export function UsageTable({ by, rows, isAll }: UsageTableProps) {
  // A hook publishes nothing by itself, and a recipient gets no deliveries.
  const shown = columns.filter(({ of }) => by === "day" || rows.some((row) => of(row) > 0));
  return (
    <Card>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it on a phone */}
      <section tabIndex={0} aria-label="Usage" className="overflow-x-auto">
        <table className="w-full text-sm">
          <thead className="border-b bg-muted/60 text-left text-muted-foreground">
            <tr>
              <th scope="col" className={headClass}>
                {titles[by]}
              </th>
              {shown.map(({ title }) => (
                <th key={title} scope="col" className={`${headClass} text-right`}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y">
            {rows.map((row) => (
              <tr key={row.key}>
                <th scope="row" className={`${cellClass} text-left font-normal ${breaks[by]}`}>
                  <Subject by={by} row={row} />
                </th>
                <Figures columns={shown} counts={row} />
              </tr>
            ))}
          </tbody>
          {isAll && rows.length > 1 && (
            <tfoot className="border-t font-medium">
              <tr>
                <th scope="row" className={`${cellClass} text-left font-medium`}>
                  Total
                </th>
                <Figures columns={shown} counts={sum(rows)} />
              </tr>
            </tfoot>
          )}
        </table>
      </section>
    </Card>
  );
}

/** A name keeps some room on a phone, where the table scrolls. */
const wide = "min-w-36 wrap-anywhere";
/** Where a first column may break, so that a day is one line. */
const breaks = { day: "whitespace-nowrap", hook: wide, recipient: wide };
const headClass = "px-3 py-1.5 font-medium whitespace-nowrap";
const cellClass = "px-3 py-1.5";

type Column = {
  readonly title: string;
  readonly of: (counts: Counts) => number;
  readonly write: (count: number) => string;
};

const write = (count: number) => count.toLocaleString("en");
const columns: readonly Column[] = [
  { title: "Deliveries", of: ({ deliveries }) => deliveries, write },
  { title: "Size", of: ({ bytes }) => bytes, write: describeSize },
  { title: "Events", of: ({ events }) => events, write },
  { title: "Sends", of: ({ sends }) => sends, write },
  { title: "Calls", of: ({ calls }) => calls, write },
];

type FiguresProps = { readonly columns: readonly Column[]; readonly counts: Counts };

function Figures({ columns, counts }: FiguresProps) {
  return columns.map(({ title, of, write }) => (
    <td key={title} className={`${cellClass} text-right whitespace-nowrap tabular-nums`}>
      {write(of(counts))}
    </td>
  ));
}

function Subject({ by, row: { key, name } }: { by: UsageTableProps["by"]; row: UsageRow }) {
  if (by === "day") return key;
  if (key === "") return "No recipient";
  if (name === null && by === "hook") return "A deleted hook";
  const path = by === "hook" ? `/hooks/${key}` : `/recipients/${encodeURIComponent(key)}`;
  return (
    <Link href={path} className="font-medium underline-offset-4 hover:underline">
      {safeText(name ?? key)}
    </Link>
  );
}

function sum(rows: readonly Counts[]): Counts {
  const of = (name: keyof Counts) => rows.reduce((total, row) => total + row[name], 0);
  return {
    deliveries: of("deliveries"),
    bytes: of("bytes"),
    events: of("events"),
    sends: of("sends"),
    calls: of("calls"),
  };
}
