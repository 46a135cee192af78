"use client";

import { Button } from "#components/ui/button/button.tsx";
import { CopyButton } from "#components/ui/button/copy-button.tsx";
import { Notice } from "#components/ui/status/notice.tsx";

type RecoveryCodesProps = { readonly codes: readonly string[]; readonly onDone: () => void };

/** Shows new recovery codes, once. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  return (
    <div className="grid gap-4">
      <Notice tone="positive">
        Save these recovery codes now: you won't see them again. Each one signs you in once without
        your app.
      </Notice>
      <ul
        data-testid="recovery-codes"
        className="grid gap-x-6 gap-y-1.5 rounded-md bg-muted px-4 py-3 font-mono text-sm sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={codes.join("\n")} what="codes" look="primary" />
        <Button look="secondary" onClick={onDone}>
          I saved them
        </Button>
      </div>
    </div>
  );
}
