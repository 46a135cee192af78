"use client";

import { useRouter } from "next/navigation";
import { startTransition, useOptimistic } from "react";
import { type ListVersions, useVersionNames } from "#components/backtest/version-choice.tsx";
import { SelectField } from "#components/ui/form/field.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";

type AgainstVersionProps = {
  readonly actionId: string;
  readonly number: number;
  /** The version that it is compared with. Null: there is none. */
  readonly against: number | null;
  readonly list: ListVersions;
};

/** Chooses the version that the shown one is compared with. */
export function AgainstVersion({ actionId, number, against, list }: AgainstVersionProps) {
  const router = useRouter();
  const names = useVersionNames(list);
  const [chosen, setChosen] = useOptimistic(against);
  const others = names.filter((one) => one.number !== number);
  // Until the names are there, and for one that is too old to be listed.
  const isListed = others.some((one) => one.number === chosen);

  function choose(next: number) {
    startTransition(() => {
      setChosen(next);
      router.push(`/actions/${actionId}/versions/${number}?against=${next}`);
    });
  }

  if (chosen === null && others.length === 0) return null;
  return (
    <div className="max-w-md">
      <SelectField
        label="Compared with"
        name="against"
        value={String(chosen ?? "")}
        onChange={({ target }) => choose(Number(target.value))}
      >
        {!isListed && (
          <option value={String(chosen ?? "")}>
            {chosen === null ? "No other version" : `Version ${chosen}`}
          </option>
        )}
        {others.map((one) => (
          <option key={one.number} value={one.number}>
            {safeText(`Version ${one.number}: ${one.words}`)}
          </option>
        ))}
      </SelectField>
    </div>
  );
}
