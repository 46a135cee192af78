import type { Metadata } from "next";
import { AccountHeader } from "#components/account-header.tsx";
import { TokenForm } from "#components/token-form.tsx";
import { TokenList } from "#components/token-list.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { listApiTokens } from "#lib/db/api-tokens.ts";
import { serverContext } from "#lib/web/server-context.ts";
import { requireSession } from "#lib/web/session.ts";
import { createTokenCommand, revokeTokenCommand } from "./commands.ts";

export const metadata: Metadata = { title: "API tokens" };

export default async function TokensPage() {
  const { accountId } = await requireSession();
  const tokens = await listApiTokens(serverContext().db, accountId);
  return (
    <>
      <AccountHeader current="tokens" />
      <Card className="grid gap-5 p-6">
        <div className="grid gap-1">
          <h2 className="font-semibold">New token</h2>
          <p className="text-sm text-muted-foreground">
            For your own programs: they send it as “Authorization: Bearer …” to the REST API.
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
            <p>Name one above, choose what it may do, and copy it: it is shown only once.</p>
          </EmptyState>
        ) : (
          <TokenList tokens={tokens} nowMs={Date.now()} revokeToken={revokeTokenCommand} />
        )}
      </section>
    </>
  );
}
