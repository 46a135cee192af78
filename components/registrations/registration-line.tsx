import { Link } from "#components/ui/link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { RegistrationStatus } from "#lib/schema/receive/registration.ts";

type RegistrationLineProps = {
  readonly hookId: string;
  readonly nowMs: number;
  readonly registration: {
    readonly status: RegistrationStatus;
    readonly summary: string;
    readonly checkedAt: Date | null;
    /** "2 types that your actions use aren't registered at Stripe". Null: none. */
    readonly missing: string | null;
    readonly missingTypes: readonly string[];
  } | null;
};

/** "Registered at Stripe, 6 event types, checked 4 min ago". */
export function RegistrationLine({ hookId, nowMs, registration }: RegistrationLineProps) {
  if (registration === null) return null;
  const { status, summary, checkedAt, missing, missingTypes } = registration;
  const isProblem = status === "missing" || status === "failing";
  return (
    <p className={isProblem ? "text-sm text-negative" : "text-sm text-muted-foreground"}>
      <Link href={`/hooks/${hookId}/registration`} className="underline underline-offset-4">
        {safeText(summary)}
      </Link>
      {checkedAt !== null && (
        <>
          , checked <RelativeTime at={checkedAt} nowMs={nowMs} />
        </>
      )}
      {missing !== null && (
        <span className="block break-words text-caution">
          {safeText(missing)}: {safeText(missingTypes.join(", "))}.{" "}
          <Link
            href={`/hooks/${hookId}/registration`}
            className="rounded-sm underline underline-offset-4"
          >
            Add {missingTypes.length === 1 ? "it" : "them"}
          </Link>
        </span>
      )}
    </p>
  );
}
