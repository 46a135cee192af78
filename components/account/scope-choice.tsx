"use client";

import { useState } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { type ApiScope, apiScopes, readScopes } from "#lib/schema/account/scopes.ts";
import { scopeWords } from "./scope-words.ts";

type Preset = { readonly name: string; readonly scopes: readonly ApiScope[] };

const presets: readonly Preset[] = [
  { name: "All", scopes: apiScopes },
  { name: "Read only", scopes: readScopes },
  { name: "Publish only", scopes: ["events:write"] },
];

type ScopeChoiceProps = { readonly error?: string | undefined };

/** The scopes of a new token, as the checkboxes `scopes` of a form. */
export function ScopeChoice({ error }: ScopeChoiceProps) {
  const [chosen, setChosen] = useState<readonly ApiScope[]>(readScopes);
  const toggle = (scope: ApiScope) =>
    setChosen((now) =>
      now.includes(scope) ? now.filter((each) => each !== scope) : [...now, scope],
    );
  return (
    <fieldset aria-describedby={error === undefined ? undefined : "scopes-error"}>
      <legend className="text-sm font-medium">Permissions</legend>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out like other elements */}
      <div role="group" aria-label="Choose" className="mt-2 mb-3 flex flex-wrap gap-1">
        {presets.map(({ name, scopes }) => {
          const isChosen = isSame(scopes, chosen);
          return (
            <button
              key={name}
              type="button"
              aria-pressed={isChosen}
              onClick={() => setChosen(scopes)}
              className={classNames(
                "min-h-7 cursor-pointer rounded-md px-2.5 text-sm font-medium",
                isChosen ? "bg-muted" : "text-muted-foreground hover:text-foreground",
              )}
            >
              {name}
            </button>
          );
        })}
      </div>
      <div className="grid gap-x-6 gap-y-2 lg:grid-cols-2">
        {apiScopes.map((scope) => (
          <label
            key={scope}
            className={classNames(
              "grid grid-cols-[auto_minmax(0,1fr)_auto] items-baseline gap-x-2.5 text-sm",
              scope.endsWith(":read") ? "lg:col-start-1" : "lg:col-start-2",
            )}
          >
            <input
              type="checkbox"
              name="scopes"
              value={scope}
              checked={chosen.includes(scope)}
              onChange={() => toggle(scope)}
              className="size-4 translate-y-0.5 accent-primary"
            />
            {scopeWords[scope]}
            <code className="font-mono text-xs text-muted-foreground">{scope}</code>
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p id="scopes-error" className="mt-2 text-sm text-negative">
          Choose at least one.
        </p>
      )}
    </fieldset>
  );
}

function isSame(some: readonly ApiScope[], others: readonly ApiScope[]): boolean {
  return some.length === others.length && some.every((scope) => others.includes(scope));
}
