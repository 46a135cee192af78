import { Allowed } from "#components/permissions/role.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { ExactDay } from "#components/ui/time/exact-time.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { ApiScope } from "#lib/schema/account/scopes.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { RevokeTokenButton } from "./revoke-token-button.tsx";
import { scopeWords } from "./scope-words.ts";

type TokenView = {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly scopes: readonly ApiScope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly maker: { readonly id: string; readonly name: string } | null;
};

type TokenListProps = {
  readonly tokens: readonly TokenView[];
  readonly nowMs: number;
  /** The person who looks at the list. They may revoke what they made, whatever their role. */
  readonly ownId: string | null;
  readonly revokeToken: (tokenId: string) => Promise<CommandResult<null>>;
  readonly revokeOwnToken: (tokenId: string) => Promise<CommandResult<null>>;
};

export function TokenList({ tokens, ...rest }: TokenListProps) {
  return (
    <Card>
      <ul className="divide-y">
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} {...rest} />
        ))}
      </ul>
    </Card>
  );
}

function TokenRow({
  token,
  nowMs,
  ownId,
  revokeToken,
  revokeOwnToken,
}: { token: TokenView } & Omit<TokenListProps, "tokens">) {
  const isExpired = token.expiresAt !== null && token.expiresAt.getTime() <= nowMs;
  const isUsable = token.revokedAt === null && !isExpired;
  const isOwn = token.maker !== null && token.maker.id === ownId;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="grid min-w-0 flex-1 basis-64 grid-cols-1 gap-1">
        <div className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 font-medium break-words">{safeText(token.name)}</span>
          <code className="font-mono text-xs text-muted-foreground">…{token.hint}</code>
          {token.revokedAt !== null && <Badge tone="negative">Revoked</Badge>}
          {token.revokedAt === null && isExpired && <Badge tone="caution">Expired</Badge>}
        </div>
        <Scopes scopes={token.scopes} />
        <p className="text-sm text-muted-foreground">
          Created <RelativeTime at={token.createdAt} nowMs={nowMs} />
          {token.maker !== null && ` by ${safeText(token.maker.name)}`}
          {" · "}
          {token.lastUsedAt === null ? (
            "never used"
          ) : (
            <>
              last used <RelativeTime at={token.lastUsedAt} nowMs={nowMs} />
            </>
          )}
          {isUsable && token.expiresAt === null && " · never expires"}
          {isUsable && token.expiresAt !== null && (
            <>
              {" · expires "}
              <ExactDay at={token.expiresAt} />
            </>
          )}
          {token.revokedAt !== null && (
            <>
              {" · revoked "}
              <RelativeTime at={token.revokedAt} nowMs={nowMs} />
            </>
          )}
        </p>
      </div>
      {isUsable && isOwn && (
        <RevokeTokenButton tokenId={token.id} name={token.name} revokeToken={revokeOwnToken} />
      )}
      {isUsable && !isOwn && (
        <Allowed to="tokens:write">
          <RevokeTokenButton tokenId={token.id} name={token.name} revokeToken={revokeToken} />
        </Allowed>
      )}
    </li>
  );
}

const shownScopes = 3;

/** A token with many permissions names them on request, so that a list of tokens stays short. */
function Scopes({ scopes }: Pick<TokenView, "scopes">) {
  const list = (
    <ul className="grid gap-0.5 text-sm text-muted-foreground">
      {scopes.map((scope) => (
        <li key={scope}>
          {scopeWords[scope]} <code className="font-mono text-xs">{scope}</code>
        </li>
      ))}
    </ul>
  );
  if (scopes.length <= shownScopes) return list;
  return (
    <details className="text-sm text-muted-foreground">
      <summary className="w-fit cursor-pointer rounded-sm hover:text-foreground">
        {describeCount(scopes.length, "permission")}
      </summary>
      <div className="mt-1">{list}</div>
    </details>
  );
}
