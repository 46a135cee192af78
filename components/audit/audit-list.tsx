import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { TimesInText } from "#components/ui/time/exact-time.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { AuditChange, AuditFacts, AuditTarget } from "#lib/schema/account/audit.ts";
import { linkOfTarget, nameOfTarget } from "./audit-target.ts";
import { describeEntry } from "./audit-words.ts";

type AuditEntryView = Omit<AuditFacts, "actorId"> & { readonly seq: number };

type AuditListProps = { readonly entries: readonly AuditEntryView[]; readonly nowMs: number };

/** Entries of an audit log, one line each, which opens to show what changed and where it came from. */
export function AuditList({ entries, nowMs }: AuditListProps) {
  return (
    <Card>
      <div aria-hidden className={headClasses}>
        <span className="w-[15px]" />
        <span>What happened</span>
        <span>Event</span>
        <span className="text-right">Time</span>
      </div>
      <ul aria-label="Audit log" className="divide-y">
        {entries.map((entry) => (
          <li key={entry.seq}>
            <details className="group">
              <summary className={summaryClasses}>
                <ChevronRight
                  aria-hidden
                  size={15}
                  className="text-muted-foreground transition-transform group-open:rotate-90"
                />
                <span className="truncate group-open:whitespace-normal max-sm:whitespace-normal">
                  {safeText(describeEntry(entry))}
                </span>
                <code className="truncate font-mono text-xs leading-5 text-muted-foreground max-sm:col-start-2">
                  {entry.event}
                </code>
                <span className={timeClasses}>
                  <RelativeTime at={entry.at} nowMs={nowMs} />
                </span>
              </summary>
              <Details entry={entry} />
            </details>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const wideColumns = "sm:grid-cols-[auto_minmax(0,1fr)_minmax(0,14rem)_5.5rem]";

const headClasses = classNames(
  "hidden gap-x-3 border-b bg-muted/60 px-4 py-1.5 text-sm font-medium text-muted-foreground sm:grid",
  wideColumns,
);

const summaryClasses = classNames(
  "grid cursor-pointer list-none grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-2.5 sm:py-1.5",
  "text-sm hover:bg-muted [&::-webkit-details-marker]:hidden",
  wideColumns,
);

const timeClasses =
  "text-right whitespace-nowrap text-muted-foreground max-sm:col-start-3 max-sm:row-start-1";

function Details({ entry }: { readonly entry: AuditEntryView }) {
  const { seq, at, targets, changes, ip, userAgent, requestId } = entry;
  return (
    <div className="grid gap-4 px-4 pt-1 pb-4 text-sm sm:pl-11">
      {changes !== null && <Changes changes={changes} />}
      <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        <dt className="text-muted-foreground">{targets.length === 1 ? "Target" : "Targets"}</dt>
        <dd className="grid gap-1">
          {targets.slice(0, maxTargets).map((target) => (
            <Target key={`${target.type} ${target.id}`} target={target} />
          ))}
          {targets.length > maxTargets && <span>{targets.length - maxTargets} more</span>}
        </dd>
        <Fact name="Time">
          <TimesInText text={`${at.toISOString().slice(0, 19).replace("T", " ")} UTC`} />
        </Fact>
        {ip !== null && <Fact name="Address">{ip}</Fact>}
        {userAgent !== null && <Fact name="Client">{safeText(userAgent)}</Fact>}
        {requestId !== null && <Fact name="Request">{safeText(requestId)}</Fact>}
        <Fact name="Number">{seq}</Fact>
      </dl>
    </div>
  );
}

const maxTargets = 20;

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="break-words">{children}</dd>
    </>
  );
}

function Target({ target }: { readonly target: AuditTarget }) {
  const href = linkOfTarget(target);
  const name = safeText(nameOfTarget(target));
  return (
    <span className="break-words">
      <span className="text-muted-foreground">{target.type.replaceAll("_", " ")} </span>
      {href === null ? (
        name
      ) : (
        <Link href={href} className="underline underline-offset-4">
          {name}
        </Link>
      )}
    </span>
  );
}

function Changes({ changes }: { readonly changes: readonly AuditChange[] }) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-left">
        <thead className="text-muted-foreground">
          <tr>
            <th className="py-1 pr-4 font-normal">Field</th>
            <th className="py-1 pr-4 font-normal">Before</th>
            <th className="py-1 font-normal">After</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ path, before, after, isHidden }) => (
            <tr key={path} className="align-top">
              <td className="py-1 pr-4 font-mono text-xs leading-5">{safeText(path)}</td>
              {isHidden === true ? (
                <td colSpan={2} className="py-1 text-muted-foreground">
                  Changed. Its value isn't recorded.
                </td>
              ) : (
                <>
                  <td className="py-1 pr-4 break-words">{toText(before)}</td>
                  <td className="py-1 break-words">{toText(after)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function toText(value: AuditChange["before"]): string {
  if (value === undefined || value === null) return "–";
  return safeText(value === "" ? "empty" : String(value));
}
