import type { Metadata } from "next";
import Link from "next/link";
import { AccountHeader } from "#components/account/account-header.tsx";
import { ApiExample } from "#components/account/api-example.tsx";
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
  const { nowMs, tokens, origin } = await readTokensPage(serverContext(), session);
  return (
    <>
      <AccountHeader current="tokens" />
      <Card className="grid gap-5 p-6">
        <div className="grid gap-1">
          <h2 className="font-semibold">New token</h2>
          <p className="text-sm text-muted-foreground">
            A token lets a program use the REST API.{" "}
            <Link href="/docs/api" className="underline underline-offset-4">
              API reference
            </Link>
          </p>
        </div>
        <TokenForm origin={origin} createToken={createTokenCommand} />
      </Card>
      <section className="grid grid-cols-1 gap-3" aria-labelledby="api">
        <div className="grid gap-1">
          <h2 id="api" className="text-lg font-semibold tracking-tight">
            Call the API
          </h2>
          <p className="text-sm text-muted-foreground">
            Put a token into the variable TOKEN, and list your hooks.
          </p>
        </div>
        <ApiExample origin={origin} token="$TOKEN" scopes={["hooks:read"]} />
      </section>
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
