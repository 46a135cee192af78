import { ArrowUpRight } from "lucide-react";
import { CopyLine } from "#components/ui/text/copy-line.tsx";

export type PasteInstructions = {
  readonly knownProviderName: string | null;
  readonly whereToPaste: string | null;
  readonly docsUrl: string | null;
  /** The verify token that the provider needs in addition to the URL. */
  readonly verifyToken: string | null;
};

/** The place for the catch URL in the provider's settings, during setup and later. */
export function WhereToPaste({ instructions }: { instructions: PasteInstructions }) {
  const { whereToPaste, docsUrl, knownProviderName, verifyToken } = instructions;
  return (
    <div className="grid gap-2 text-sm text-muted-foreground">
      {whereToPaste !== null && <p className="max-w-prose">{whereToPaste}</p>}
      {whereToPaste === null && (
        <p className="max-w-prose">
          POST requests to it show up here automatically. Other methods get 405 unless you allow
          them in the settings.
        </p>
      )}
      {verifyToken !== null && (
        <div className="grid gap-1.5">
          <p>It also asks for a verify token. Give it this one:</p>
          <CopyLine text={verifyToken} what="verify token" />
        </div>
      )}
      {docsUrl !== null && (
        <p>
          <a
            href={docsUrl}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-center gap-1 rounded-sm underline underline-offset-4 hover:text-foreground"
          >
            {knownProviderName} webhook docs
            <ArrowUpRight aria-hidden size={14} />
            <span className="sr-only">(opens in a new tab)</span>
          </a>
        </p>
      )}
    </div>
  );
}
