import { scopeWords } from "#components/account/scope-words.ts";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { ClientSignInView } from "./client-types.ts";

type ClientScopesProps = {
  readonly account: ClientSignInView["accounts"][number];
  /** What the person keeps back. */
  readonly removed: ReadonlySet<string>;
  readonly onChange: (removed: ReadonlySet<string>) => void;
};

/** What the program may do, each of which the person can take away. */
export function ClientScopes({ account, removed, onChange }: ClientScopesProps) {
  const { name, role, scopes, missing } = account;

  function toggle(scope: string, isGiven: boolean) {
    const next = new Set(removed);
    if (isGiven) next.delete(scope);
    else next.add(scope);
    onChange(next);
  }

  return (
    <fieldset className="grid gap-2 text-sm">
      <legend className="mb-2 font-medium">
        {scopes.length === 0 ? "It would get no permission" : "It may"}
      </legend>
      {scopes.map((scope) => (
        <CheckField
          key={scope}
          label={scopeWords[scope]}
          checked={!removed.has(scope)}
          onChange={(isGiven) => toggle(scope, isGiven)}
        />
      ))}
      {missing.length > 0 && (
        <p className="text-muted-foreground">
          Your role in {safeText(name)} is {role}, so it doesn't get:{" "}
          {missing.map((scope) => scopeWords[scope]).join(" · ")}.
        </p>
      )}
    </fieldset>
  );
}
