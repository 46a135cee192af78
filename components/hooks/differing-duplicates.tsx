"use client";

import { useState, useTransition } from "react";
import { Allowed } from "#components/permissions/role.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { Link } from "#components/ui/link.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { Notice } from "#components/ui/status/notice.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type CountedDuplicates = { readonly accepted: number; readonly kept: number };

type CountDuplicates = (
  hookId: string,
  acceptStored: boolean,
) => Promise<CommandResult<CountedDuplicates>>;

type DifferingDuplicatesProps = {
  readonly hookId: string;
  /** How many recent ones differ. Null: this page is about one. */
  readonly count: number | null;
  readonly countDuplicates: CountDuplicates;
};

/**
 * Duplicates that may be events of their own, or retries in which the provider changed something: only
 * the user can tell. One click counts them, and those to come.
 */
export function DifferingDuplicates({ hookId, count, countDuplicates }: DifferingDuplicatesProps) {
  const isOne = count === null || count === 1;
  const [problem, setProblem] = useState<string>();
  const [isPending, startTransition] = useTransition();

  const run = (acceptStored: boolean) =>
    startTransition(async () => {
      const result = await countDuplicates(hookId, acceptStored).catch(() => serverUnreachable);
      startTransition(() => setProblem(result.ok ? undefined : result.message));
      if (result.ok) toast(describeCounted(result.value));
    });

  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-lg border bg-card p-5">
      <div className="grid min-w-0 flex-1 basis-72 gap-1">
        <h2 className="font-semibold">{toTitle(count)}</h2>
        <p className="text-sm text-muted-foreground">
          {isOne ? "It has" : "They have"} the same event id, but not the same content. The id may
          be that of an object, such as an order, or the provider changes an attempt number or a
          time in its retries. If you count them, the hook compares the content too, and its stored
          duplicates that differ run its actions.{" "}
          {count !== null && (
            <Link href={`/hooks/${hookId}?status=duplicate`} className="underline">
              View duplicates
            </Link>
          )}
        </p>
      </div>
      <Allowed to="hooks:write">
        <div className="flex flex-wrap gap-2">
          <Button look="secondary" isBusy={isPending} onClick={() => run(false)}>
            Only from now on
          </Button>
          <Button isBusy={isPending} onClick={() => run(true)}>
            Count these as events
          </Button>
        </div>
      </Allowed>
      {problem !== undefined && (
        <div className="w-full">
          <Notice tone="negative">{problem}</Notice>
        </div>
      )}
    </div>
  );
}

function toTitle(count: number | null): string {
  if (count === null) return "This duplicate differs from the first delivery";
  return count === 1
    ? "A recent duplicate differs from its first delivery"
    : `${count} recent duplicates differ from their first delivery`;
}

/** Says what became of the duplicates. */
export function describeCounted({ accepted, kept }: CountedDuplicates): string {
  const begin = "From now on, the content counts too.";
  const taken =
    accepted === 0
      ? []
      : [`${describeCount(accepted, "duplicate was", "duplicates were")} accepted`];
  const left = kept === 0 ? [] : [`${describeCount(kept, "stays a duplicate", "stay duplicates")}`];
  const parts = [...taken, ...left].join("; ");
  return parts === "" ? begin : `${begin} ${parts}.`;
}
