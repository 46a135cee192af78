import type { Metadata } from "next";
import { AccountHeader } from "#components/account/account-header.tsx";
import { TokenForm } from "#components/account/token-form.tsx";
import { TokenList } from "#components/account/token-list.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { readTokensPage } from "#lib/web/account/page.ts";
import { requireSession } from "#lib/web/auth/session.ts";
import { serverContext } from "#lib/web/request/server-context.ts";
import { createTokenCommand, revokeTokenCommand } from "./commands.ts";

export const metadata: Metadata = { title: "API tokens" };

export default async function TokensPage() {
  const session = await requireSession();
  const { nowMs, tokens } = await readTokensPage(serverContext(), session);
  return (
    <>
      <AccountHeader current="tokens" />
      <Card className="grid gap-5 p-6">
        <div className="grid gap-1">
          <h2 className="font-semibold">New token</h2>
          <p className="text-sm text-muted-foreground">
            Use a token to call the REST API with “Authorization: Bearer …”.
          </p>
        </div>
        <TokenForm createToken={createTokenCommand} />
      </Card>
      <section className="grid grid-cols-1 gap-4" aria-labelledby="tokens">
        <h2 id="tokens" className="text-lg font-semibold tracking-tight">
          Your tokens
        </h2>
        {tokens.length === 0 ? (
          <EmptyState title="No tokens yet">
            <p>Create a token above and copy it. It is shown only once.</p>
          </EmptyState>
        ) : (
          <TokenList tokens={tokens} nowMs={nowMs} revokeToken={revokeTokenCommand} />
        )}
      </section>
    </>
  );
}
