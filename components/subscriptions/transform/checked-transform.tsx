import { Link } from "#components/ui/link.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { CodeText } from "#components/ui/text/code-text.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { type CommandResult, describeFieldError } from "#lib/schema/field/command-result.ts";
import { describeTransformError, type TransformCheck } from "./transform-trial.ts";

/** How a transform does on stored events. */
export function CheckedTransform({ checked }: { checked: CommandResult<TransformCheck> }) {
  if (!checked.ok) {
    const [first] = checked.errors;
    return (
      <Notice tone="negative">
        <CodeText text={first === undefined ? checked.message : describeFieldError(first)} />
      </Notice>
    );
  }
  const { failed, failures } = checked.value;
  return (
    <section aria-label="Check" aria-live="polite" className="grid gap-3 rounded-md border p-4">
      <Notice tone={failed > 0 ? "negative" : "positive"}>{describeCheck(checked.value)}</Notice>
      {failures.length > 0 && (
        <ul className="grid gap-2 text-sm">
          {failures.map((failure) => (
            <li key={failure.eventId} className="grid min-w-0 gap-0.5">
              <span className="flex flex-wrap gap-x-2">
                <span className="break-words">{safeText(failure.type)}</span>
                <Link
                  href={`/events/${encodeURIComponent(failure.eventId)}`}
                  className="rounded-sm font-mono text-xs leading-5 wrap-anywhere underline underline-offset-4"
                >
                  {safeText(failure.eventId)}
                </Link>
              </span>
              <span className="break-words text-muted-foreground">
                <CodeText text={describeTransformError(failure)} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {failed > failures.length && (
        <p className="text-sm text-muted-foreground">
          {describeCount(failed - failures.length, "older one isn't", "older ones aren't")} shown.
        </p>
      )}
    </section>
  );
}

function describeCheck({ checked, failed, skipped }: TransformCheck): string {
  if (checked === 0) return "No event that this subscription would get is stored.";
  const verb = failed === 0 ? "works" : "fails";
  if (checked === 1)
    return skipped === 1
      ? "It returns null for the only stored event, which nothing is sent for."
      : `It ${verb} for the only stored event.`;
  const newest = `the newest ${describeCount(checked, "stored event")}`;
  const outcome = `It ${verb} for ${failed === 0 ? "all" : failed} of ${newest}.`;
  return skipped === 0
    ? outcome
    : `${outcome} It returns null for ${skipped}, which nothing is sent for.`;
}
