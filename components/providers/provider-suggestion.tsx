import { Sparkles } from "lucide-react";
import { Allowed } from "#components/permissions/role.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { capitalize } from "#lib/base/capitalize.ts";

type SuggestedProvider = {
  readonly id: string;
  readonly name: string;
  readonly why: readonly string[];
  readonly isClear: boolean;
  readonly alternatives: readonly { readonly id: string; readonly name: string }[];
};

/**
 * A hint for a hook without verification: the provider that its deliveries seem to come from. It
 * changes nothing.
 */
export function ProviderSuggestion({
  hookId,
  suggestion,
}: {
  hookId: string;
  suggestion: SuggestedProvider | null;
}) {
  if (suggestion === null) return null;
  const { id, name, why, isClear, alternatives } = suggestion;
  return (
    <Card className="flex flex-wrap items-start gap-x-4 gap-y-3 p-5">
      <Sparkles aria-hidden size={18} className="mt-0.5 shrink-0 text-muted-foreground" />
      <div className="grid min-w-0 flex-1 basis-64 gap-1">
        <h2 className="font-semibold break-words">
          {isClear || alternatives.length > 0 ? "This looks like" : "This could be"} {name}
          {alternatives.length > 0 && `, or ${listNames(alternatives)}`}
        </h2>
        <p className="max-w-prose text-sm break-words text-muted-foreground">
          {safeText(capitalize(why.join(", and ")))}. This hook accepts requests from anyone. Set
          its provider to {name}
          {isClear ? "" : " (or the right one)"} and paste the secret, so that only verified
          deliveries run.
        </p>
      </div>
      <Allowed to="hooks:write">
        <Link href={providerSettingsPath(hookId, id)} className={buttonClasses("secondary")}>
          Set it to {name}
        </Link>
      </Allowed>
    </Card>
  );
}

/** The page that changes a hook's provider. Opening it changes nothing. */
export function providerSettingsPath(hookId: string, provider: string): string {
  return `/hooks/${hookId}/settings/provider?to=${encodeURIComponent(provider)}`;
}

function listNames(alternatives: SuggestedProvider["alternatives"]): string {
  const names = alternatives.slice(0, 3).map(({ name }) => name);
  return alternatives.length > names.length
    ? `${names.join(", ")} or another with the same signature format`
    : names.join(", or ");
}
