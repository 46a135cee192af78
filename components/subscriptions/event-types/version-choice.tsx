"use client";

import { type BreakingChange, BreakingChanges } from "#components/event-types/breaking-changes.tsx";
import type { FieldOf } from "#components/ui/form/field-of.ts";
import { FieldSelect } from "#components/ui/form/fields.tsx";
import { FormDisclosure } from "#components/ui/form/form-section.tsx";
import { CodeText } from "#components/ui/text/code-text.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { ExactTime } from "#components/ui/time/exact-time.tsx";
import { firstVersion, newestVersion } from "#lib/schema/send/payload-version.ts";

/** The versions that a subscription can be pinned to, and what they would change for it. */
export type VersionChoice = {
  /** Newest first. Empty: no event type has versions. */
  readonly dates: readonly string[];
  /** Versions that it gets now and that end. */
  readonly ending: readonly {
    readonly type: string;
    readonly version: string;
    readonly endsAt: Date;
  }[];
  /** What it doesn't get yet, newest first. */
  readonly steps: readonly {
    readonly type: string;
    readonly version: string;
    readonly note: string | null;
    readonly breaking: readonly BreakingChange[];
  }[];
};

type VersionFieldProps = {
  readonly of: FieldOf<string>;
  /** The stored version. Empty: a new subscription. */
  readonly stored: string;
  readonly choice: VersionChoice;
};

/** A part of a form. Without versions there is nothing to choose. */
export function VersionSection(props: VersionFieldProps) {
  const { of, stored, choice } = props;
  const [newest] = choice.dates;
  if (newest === undefined && (stored === "" || stored === firstVersion)) return null;
  const chosen = of.value === "" ? (newest ?? firstVersion) : of.value;
  return (
    <FormDisclosure
      title="Version"
      summary={
        chosen === newestVersion
          ? "Gets each new version of its event types at once."
          : `Stays with version ${chosen} of its event types.`
      }
      isOpen={of.error !== undefined}
    >
      <VersionField {...props} />
    </FormDisclosure>
  );
}

/** The version of a subscription, and what another one changes. */
function VersionField({ of, stored, choice }: VersionFieldProps) {
  const { dates, steps } = choice;
  const [newest] = dates;
  const others = [stored, ...dates, firstVersion].filter(
    (version, index, all) =>
      version !== "" && version !== newestVersion && all.indexOf(version) === index,
  );
  const taken = of.value === stored ? [] : steps.filter(({ version }) => gets(of.value, version));
  return (
    <div className="grid gap-3">
      <FieldSelect
        of={of}
        label="Version"
        hint="Of each event type, it gets the newest version up to this date."
      >
        {stored === "" && (
          <option value="">{newest === undefined ? firstVersion : `${newest}, the newest`}</option>
        )}
        {others
          .filter((version) => stored !== "" || version !== newest)
          .map((version) => (
            <option key={version} value={version}>
              {version === newest ? `${version}, the newest` : version}
            </option>
          ))}
        <option value={newestVersion}>Always the newest</option>
      </FieldSelect>
      {taken.length > 0 && (
        <div aria-live="polite" className="grid gap-2.5 rounded-md border p-3.5 text-sm">
          <p className="font-medium">What changes for this subscription</p>
          <VersionSteps steps={taken} />
        </div>
      )}
    </div>
  );
}

/** True if a subscription with this version gets a version of that date. */
function gets(chosen: string, version: string): boolean {
  return chosen === newestVersion || (chosen !== firstVersion && version <= chosen);
}

type VersionSummaryProps = {
  readonly version: string;
  readonly choice: VersionChoice;
  readonly nowMs: number;
};

/** The version of a subscription, what is newer, and what ends. */
export function VersionSummary({ version, choice, nowMs }: VersionSummaryProps) {
  const { steps, ending } = choice;
  return (
    <div className="grid gap-1.5 text-sm text-muted-foreground">
      <p>{describeVersion(version)}</p>
      {ending.map(({ type, version: own, endsAt }) => (
        <p key={type} className="break-words">
          Version {own} of <code className="font-mono text-xs">{safeText(type)}</code>{" "}
          {endsAt.getTime() > nowMs ? "ends" : "ended"} on <ExactTime at={endsAt} />. From then on,
          this subscription gets the next one.
        </p>
      ))}
      {steps.length > 0 && (
        <details>
          <summary className="cursor-pointer text-foreground">
            {describeCount(steps.length, "newer version")}
          </summary>
          <div className="pt-2.5">
            <VersionSteps steps={steps} />
          </div>
        </details>
      )}
    </div>
  );
}

function describeVersion(version: string): string {
  if (version === newestVersion) return "Always the newest version of each event type.";
  return version === firstVersion
    ? "The first version of each event type."
    : `Of each event type, the newest version up to ${version}.`;
}

/** Versions of event types, with what each changed. */
function VersionSteps({ steps }: Pick<VersionChoice, "steps">) {
  return (
    <ul className="grid gap-2.5">
      {steps.map(({ type, version, note, breaking }) => (
        <li key={`${type} ${version}`} className="grid min-w-0 gap-0.5">
          <span className="flex flex-wrap gap-x-2">
            <code className="font-mono text-xs leading-5 wrap-anywhere">{safeText(type)}</code>
            <span className="text-muted-foreground">{version}</span>
          </span>
          {note !== null && (
            <span className="break-words">
              <CodeText text={note} />
            </span>
          )}
          {breaking.length > 0 && <BreakingChanges changes={breaking} shown={5} />}
          {note === null && breaking.length === 0 && (
            <span className="text-muted-foreground">Nothing that breaks receivers.</span>
          )}
        </li>
      ))}
    </ul>
  );
}
