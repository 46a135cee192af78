"use client";

import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type RevokeTokenButtonProps = {
  readonly tokenId: string;
  readonly name: string;
  readonly revokeToken: (tokenId: string) => Promise<CommandResult<null>>;
};

/**
 * Asks for confirmation: programs that use the token stop working immediately, and revoking can't
 * be undone.
 */
export function RevokeTokenButton({ tokenId, name, revokeToken }: RevokeTokenButtonProps) {
  return (
    <ConfirmButton
      label="Revoke"
      ariaLabel={`Revoke ${safeText(name)}`}
      title={`Revoke “${safeText(name)}”?`}
      keepLabel="Cancel"
      confirmLabel="Revoke token"
      run={() => revokeToken(tokenId)}
    >
      <p>Anything that uses this token stops working immediately. You can't undo this.</p>
    </ConfirmButton>
  );
}
