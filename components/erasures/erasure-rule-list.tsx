import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { ErasureMode } from "#lib/schema/account/erasure-places.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type RuleView = {
  readonly id: string;
  readonly fingerprint: string;
  readonly mode: ErasureMode;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly matches: number;
  readonly lastMatchAt: Date | null;
};

type ErasureRuleListProps = {
  readonly rules: readonly RuleView[];
  /** There are older ones. */
  readonly hasMore: boolean;
  readonly nowMs: number;
  readonly remove: (id: string) => Promise<CommandResult<null>>;
};

/** The rules for later arrivals, newest first, one a line. */
export function ErasureRuleList({ rules, hasMore, nowMs, remove }: ErasureRuleListProps) {
  if (rules.length === 0)
    return (
      <p className="text-sm text-muted-foreground">
        No rules. A person who arrives again is stored as before.
      </p>
    );
  return (
    <>
      <ul className="divide-y text-sm">
        {rules.map((rule) => (
          <li
            key={rule.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2 first:pt-0 last:pb-0"
          >
            <RuleFacts rule={rule} nowMs={nowMs} />
            <ConfirmButton
              label="Remove…"
              ariaLabel={`Remove the rule ${shorten(rule.fingerprint)}`}
              look="secondary"
              title="Remove this rule?"
              keepLabel="Cancel"
              confirmLabel="Remove rule"
              run={remove.bind(null, rule.id)}
            >
              <p>
                What arrives from now on with this value stays as it is. You can't get the rule back
                without the value.
              </p>
            </ConfirmButton>
          </li>
        ))}
      </ul>
      {hasMore && (
        <p className="mt-3 text-sm text-muted-foreground">
          These are the newest {rules.length}. The API lists all.
        </p>
      )}
    </>
  );
}

function RuleFacts({ rule, nowMs }: { readonly rule: RuleView; readonly nowMs: number }) {
  const { fingerprint, mode, createdBy, createdAt, matches, lastMatchAt } = rule;
  return (
    <div className="grid min-w-0 flex-1 basis-40 gap-0.5">
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          href={`/account/audit?target=${fingerprint}`}
          title="What the audit log says about this value"
          className="font-mono text-xs underline underline-offset-2"
        >
          {shorten(fingerprint)}
        </Link>
        <Badge>{mode === "redact" ? "Redact" : "Delete"}</Badge>
        <span>
          {matches === 0 ? "No match yet" : describeCount(matches, "match", "matches")}
          {lastMatchAt !== null && (
            <>
              , last <RelativeTime at={lastMatchAt} nowMs={nowMs} />
            </>
          )}
        </span>
      </span>
      <span className="break-words text-muted-foreground">
        Since <RelativeTime at={createdAt} nowMs={nowMs} />, by {safeText(createdBy)}
      </span>
    </div>
  );
}

function shorten(fingerprint: string): string {
  return `${fingerprint.slice(0, 12)}…`;
}
