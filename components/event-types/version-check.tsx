import { describeError } from "#components/ui/form/field.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { CodeText } from "#components/ui/text/code-text.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { capitalize } from "#lib/base/capitalize.ts";
import { type CommandResult, describeFieldError } from "#lib/schema/field/command-result.ts";
import { type BreakingChange, BreakingChanges } from "./breaking-changes.tsx";

export type CheckedVersion = {
  readonly breaking: readonly BreakingChange[];
  readonly stored: {
    readonly checked: number;
    readonly mismatched: number;
    readonly reason: string | null;
  };
  /** Null: it can be published. */
  readonly problem: string | null;
};

type VersionCheckProps = {
  readonly checked: CommandResult<CheckedVersion>;
  readonly before: string;
};

/** What publishing a version would do. */
export function VersionCheck({ checked, before }: VersionCheckProps) {
  if (!checked.ok) {
    const [first] = checked.errors;
    const text =
      first === undefined
        ? checked.message
        : describeError(capitalize(first.path), describeFieldError(first));
    return (
      <Notice tone="negative">
        <CodeText text={text} />
      </Notice>
    );
  }
  const { breaking, stored, problem } = checked.value;
  return (
    <section aria-label="Check" aria-live="polite" className="grid gap-3 rounded-md border p-4">
      {problem === null ? (
        <Notice tone="positive">It can be published.</Notice>
      ) : (
        <Notice tone="negative">
          <CodeText text={`It can't be published yet. ${problem}`} />
        </Notice>
      )}
      <div className="grid gap-1.5">
        <p className="text-sm font-semibold">
          {breaking.length === 0
            ? `Nothing breaks receivers of version ${before}`
            : `Receivers of version ${before} would break without the transform`}
        </p>
        <BreakingChanges changes={breaking} />
      </div>
      <div className="grid gap-1.5">
        <p className="text-sm font-semibold">Stored events</p>
        <p className="text-sm break-words text-muted-foreground">
          <CodeText text={describeStored(stored)} />
        </p>
      </div>
    </section>
  );
}

function describeStored({ checked, mismatched, reason }: CheckedVersion["stored"]): string {
  if (checked === 0) return "No event of this type is stored.";
  const newest = `the newest ${describeCount(checked, "stored event")}`;
  if (mismatched === 0) return `All of ${newest} match the new schema.`;
  const them = mismatched === checked ? "None" : `${checked - mismatched}`;
  const first = reason === null ? "" : ` The newest of the others: ${reason}.`;
  return `${them} of ${newest} ${them === "1" ? "matches" : "match"} the new schema.${first}`;
}
