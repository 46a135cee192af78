import { useId } from "react";
import { Badge, type Tone } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { shorten } from "#lib/base/shorten.ts";
import type { Confidence, FieldProposal } from "#lib/core/mapping/mapping-example/proposal.ts";

type ProposalRowsProps = {
  readonly proposals: readonly FieldProposal[];
  /** The paths of proposals that the user rejected. */
  readonly rejected: ReadonlySet<string>;
  readonly onToggle: (path: string) => void;
};

const shown: Readonly<Record<Confidence, { readonly tone: Tone; readonly label: string }>> = {
  same: { tone: "positive", label: "Same value" },
  converted: { tone: "positive", label: "Converted" },
  similar: { tone: "caution", label: "Similar name" },
  none: { tone: "neutral", label: "Not found" },
};

/** The proposal for each value of the example. If one is rejected, the example's value stays. */
export function ProposalRows({ proposals, rejected, onToggle }: ProposalRowsProps) {
  const placed = proposals.filter(({ confidence }) => confidence !== "none").length;
  return (
    <div className="grid gap-2">
      <p className="text-sm text-muted-foreground">
        {placed} of {proposals.length} values found in this delivery. Uncheck what should stay as in
        the example.
      </p>
      <ul className="grid max-h-[55dvh] divide-y overflow-y-auto rounded-md border">
        {proposals.map((proposal) => (
          <ProposalRow
            key={proposal.path}
            proposal={proposal}
            isTaken={
              !rejected.has(proposal.path) &&
              (proposal.within === undefined || !rejected.has(proposal.within))
            }
            isDisabled={
              proposal.confidence === "none" ||
              (proposal.within !== undefined && rejected.has(proposal.within))
            }
            onToggle={() => onToggle(proposal.path)}
          />
        ))}
      </ul>
    </div>
  );
}

type ProposalRowProps = {
  readonly proposal: FieldProposal;
  readonly isTaken: boolean;
  readonly isDisabled: boolean;
  readonly onToggle: () => void;
};

function ProposalRow({ proposal, isTaken, isDisabled, onToggle }: ProposalRowProps) {
  const id = useId();
  const { path, literal, template, value, why, confidence, each, within } = proposal;
  const { tone, label } = shown[confidence];
  const name = path.replace(/^body\.(?=.)/, "");
  const isSet = confidence !== "none" && isTaken;
  return (
    <li
      className={`flex items-start gap-2.5 px-3 py-2 text-sm ${within === undefined ? "" : "pl-8"}`}
    >
      <input
        id={id}
        type="checkbox"
        checked={isSet}
        disabled={isDisabled}
        onChange={onToggle}
        aria-label={`Use the proposal for ${name}`}
        className="mt-0.5 size-4 shrink-0 accent-primary"
      />
      <div className="grid min-w-0 flex-1 gap-0.5">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <label htmlFor={id} className="min-w-0 font-medium wrap-anywhere">
            {safeText(name)}
          </label>
          <Badge tone={tone}>{label}</Badge>
        </div>
        {each === undefined ? (
          <code className="font-mono text-xs wrap-anywhere">
            {safeText(isSet && template !== null ? template : show(literal))}
          </code>
        ) : (
          <code className="font-mono text-xs wrap-anywhere">{safeText(why)}</code>
        )}
        {each === undefined && (
          <p className="text-xs break-words text-muted-foreground">
            {isSet && value !== null
              ? `${safeText(show(value))} · ${safeText(why)}`
              : "Stays as in the example."}
          </p>
        )}
      </div>
    </li>
  );
}

const maxChars = 120;

function show(text: string): string {
  return text === "" ? "(empty)" : shorten(text, maxChars);
}
