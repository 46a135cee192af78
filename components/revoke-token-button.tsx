"use client";

import type { CommandResult } from "#lib/schema/command-result.ts";
import { ConfirmButton } from "./ui/confirm-button.tsx";
import { safeText } from "./ui/safe-text.ts";

type RevokeTokenButtonProps = {
  readonly tokenId: string;
  readonly name: string;
  readonly revokeToken: (tokenId: string) => Promise<CommandResult<null>>;
};

/** Asks first: whatever uses the token stops working at once, and there is no way back. */
export function RevokeTokenButton({ tokenId, name, revokeToken }: RevokeTokenButtonProps) {
  return (
    <ConfirmButton
      label="Revoke"
      ariaLabel={`Revoke ${safeText(name)}`}
      title={`Revoke “${safeText(name)}”?`}
      keepLabel="Keep it"
      confirmLabel="Revoke token"
      run={() => revokeToken(tokenId)}
    >
      <p>Whatever uses this token is refused from now on. A revoked token can't be made to work again.</p>
    </ConfirmButton>
  );
}
