import type { Metadata } from "next";
import { ApiExample } from "#components/account/api-example.tsx";
import { AssistantLine } from "#components/account/assistant-line.tsx";
import { TokenForm } from "#components/account/token-form.tsx";
import { TokenList } from "#components/account/token-list.tsx";
import { Restricted } from "#components/permissions/restricted.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { listApiTokens } from "#lib/services/account/api-tokens.ts";
import { personOf } from "#lib/services/account/person.ts";
import {
  createTokenCommand,
  revokeOwnTokenCommand,
  revokeTokenCommand,
} from "#lib/web/account/commands.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";

export const metadata: Metadata = { title: "API tokens" };

export default async function TokensPage() {
  const context = await pageContext();
  const tokens = await listApiTokens(context, {});
  const origin = context.env.publicUrl;
  return (
    <>
      <PageHeader title="API tokens" />
      <Restricted to="tokens:write">
        <Card className="grid gap-5 p-6">
          <div className="grid gap-1">
            <h2 className="font-semibold">New token</h2>
            <p className="text-sm text-muted-foreground">
              A token lets a program use the REST API. It can never do more than your role allows,
              and stops working when you leave the account.{" "}
              <Link href="/docs/api" className="underline underline-offset-4">
                API reference
              </Link>
            </p>
          </div>
          <TokenForm origin={origin} createToken={createTokenCommand} />
        </Card>
      </Restricted>
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
        <AssistantLine origin={origin} />
      </section>
      <section className="grid grid-cols-1 gap-4" aria-labelledby="tokens">
        <h2 id="tokens" className="text-lg font-semibold tracking-tight">
          Tokens of this account
        </h2>
        {tokens.length === 0 ? (
          <EmptyState title="No tokens yet">
            <p>Create a token above and copy it. It is shown only once.</p>
          </EmptyState>
        ) : (
          <TokenList
            tokens={tokens}
            nowMs={context.now().getTime()}
            ownId={personOf(context.actor)}
            revokeToken={revokeTokenCommand}
            revokeOwnToken={revokeOwnTokenCommand}
          />
        )}
      </section>
    </>
  );
}
