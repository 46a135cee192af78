import { ArrowUpRight } from "lucide-react";
import type { ReactNode } from "react";
import { Allowed } from "#components/permissions/role.tsx";
import { providerSettingsPath } from "#components/providers/provider-suggestion.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge, type Tone } from "#components/ui/status/badge.tsx";
import { CodeText } from "#components/ui/text/code-text.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type DiagnosisView = {
  readonly verdict: "explained" | "unexplained" | "not_failed";
  readonly findings: readonly FindingView[];
  readonly tried: number;
  readonly isComplete: boolean;
  readonly triedWhat: string | null;
  readonly next: string | null;
};

type FindingView = {
  readonly code: string;
  readonly sentence: string;
  readonly confidence: "certain" | "likely" | "possible";
  readonly fix: { readonly label: string; readonly effect: string } | null;
  readonly suggestedProvider?: { readonly id: string; readonly name: string };
};

type ApplyFix = (code: string) => Promise<CommandResult<unknown>>;

type DiagnosisPanelProps = {
  readonly hookId: string;
  readonly diagnosis: DiagnosisView;
  readonly applyFix: ApplyFix;
};

/**
 * The reason why a delivery was rejected, with one-click fixes, or next steps if the cause is
 * unknown.
 */
export function DiagnosisPanel({ hookId, diagnosis, applyFix }: DiagnosisPanelProps) {
  const { verdict, findings, next } = diagnosis;
  if (verdict === "not_failed") return null;
  // Findings that are certain without a matching signature, such as a missing secret.
  const isCertain = findings.some(({ confidence }) => confidence === "certain");
  return (
    <DiagnosisFrame>
      {verdict === "unexplained" && !isCertain && (
        <p className="text-sm text-muted-foreground">
          {findings.length === 0
            ? "No cause found."
            : "No cause found for certain. This is what the delivery and the hook show:"}
        </p>
      )}
      <div
        className={
          next === null ? "grid grid-cols-1" : "grid grid-cols-1 gap-x-10 gap-y-5 lg:grid-cols-2"
        }
      >
        {findings.length > 0 && (
          <ul className="grid grid-cols-1 content-start gap-4">
            {findings.map((finding) => (
              <Finding
                key={`${finding.code} ${finding.sentence}`}
                hookId={hookId}
                finding={finding}
                isProven={verdict === "explained" || (findings.length === 1 && isCertain)}
                applyFix={applyFix}
              />
            ))}
          </ul>
        )}
        {next !== null && (
          <div className="grid content-start gap-1">
            <h3 className="text-sm font-medium">What to do next</h3>
            <Next text={next} />
          </div>
        )}
      </div>
      {!isCertain && <Effort diagnosis={diagnosis} />}
    </DiagnosisFrame>
  );
}

/** A frame that keeps its size and position while loading and on errors. */
export function DiagnosisFrame({ children }: { children: ReactNode }) {
  return (
    <Card className="grid grid-cols-1 gap-4 p-5">
      <h2 className="font-semibold">Why was this rejected?</h2>
      {children}
    </Card>
  );
}

export function DiagnosisLoading() {
  return (
    <DiagnosisFrame>
      <p role="status" className="text-sm text-muted-foreground">
        Checking the signature, the secret, the URL, and the body…
      </p>
    </DiagnosisFrame>
  );
}

type FindingProps = {
  readonly hookId: string;
  readonly finding: FindingView;
  readonly isProven: boolean;
  readonly applyFix: ApplyFix;
};

function Finding({ hookId, finding, isProven, applyFix }: FindingProps) {
  const { code, sentence, confidence, fix, suggestedProvider } = finding;
  const { words, tone } = confidences[confidence];
  return (
    <li className="grid grid-cols-1 gap-2.5">
      <p className="max-w-prose text-sm break-words">
        {!isProven && (
          <>
            <Badge tone={tone}>{words}</Badge>{" "}
          </>
        )}
        <CodeText text={sentence} />
      </p>
      {suggestedProvider !== undefined && (
        <div>
          <Link
            href={providerSettingsPath(hookId, suggestedProvider.id)}
            className={buttonClasses("secondary")}
          >
            Set the hook to {suggestedProvider.name}
          </Link>
        </div>
      )}
      {code === "secret_missing" && (
        <div>
          <Link href={`/hooks/${hookId}`} className={buttonClasses()}>
            Add the signing secret
          </Link>
        </div>
      )}
      {fix !== null && (
        <div>
          <Allowed to="hooks:write">
            <ConfirmButton
              look="primary"
              confirmLook="primary"
              label={fix.label}
              title={`${fix.label}?`}
              keepLabel="Cancel"
              confirmLabel={fix.label}
              run={applyFix.bind(null, code)}
            >
              <p>{safeText(fix.effect)}</p>
              <p>Then have the provider send the delivery again.</p>
            </ConfirmButton>
          </Allowed>
        </div>
      )}
    </li>
  );
}

const confidences: Readonly<Record<FindingView["confidence"], { words: string; tone: Tone }>> = {
  certain: { words: "Certain", tone: "negative" },
  likely: { words: "Likely", tone: "caution" },
  possible: { words: "Possible", tone: "neutral" },
};

/** May end with a link to the provider's documentation. */
function Next({ text }: { text: string }) {
  const url = /https:\/\/\S+$/.exec(text)?.[0];
  const words = url === undefined ? text : text.slice(0, -url.length).replace(/More: $/, "");
  return (
    <p className="max-w-prose text-sm break-words text-muted-foreground">
      {words}
      {url !== undefined && (
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          className="inline-flex items-center gap-1 rounded-sm underline underline-offset-4 hover:text-foreground"
        >
          Provider docs
          <ArrowUpRight aria-hidden size={14} />
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      )}
    </p>
  );
}

function Effort({ diagnosis: { tried, triedWhat, isComplete } }: { diagnosis: DiagnosisView }) {
  if (triedWhat === null) return null;
  return (
    <p className="max-w-prose text-xs text-muted-foreground tabular-nums">
      {describeCount(tried, "variant was", "variants were")} verified with the stored bytes
      {isComplete ? "" : ", and the body is too large to try them all"}. {triedWhat}
    </p>
  );
}
