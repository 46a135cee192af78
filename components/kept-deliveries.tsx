"use client";

import { useState, useTransition } from "react";
import type { CommandResult } from "#lib/schema/command-result.ts";
import type { Count } from "./change-hook-status.ts";
import { describeCount } from "./describe-count.ts";
import { describeVerified, type Verified } from "./describe-verified.ts";
import { Button } from "./ui/button.tsx";
import { notReached } from "./ui/not-reached.ts";
import { Notice } from "./ui/notice.tsx";
import { toast } from "./ui/toast.ts";

export type VerifyKept = (hookId: string) => Promise<CommandResult<Verified>>;

type KeptDeliveriesProps = {
  readonly hookId: string;
  readonly kept: Count;
  readonly verifyKept: VerifyKept;
};

/** What came before the secret was there: one click verifies it and runs what passes. */
export function KeptDeliveries({ hookId, kept, verifyKept }: KeptDeliveriesProps) {
  const [problem, setProblem] = useState<string>();
  const [isPending, startTransition] = useTransition();
  const isOne = kept.count === 1;

  const onClick = () =>
    startTransition(async () => {
      const result = await verifyKept(hookId).catch(() => notReached);
      if (!result.ok) return setProblem(result.message);
      const { words, isDone } = describeVerified(result.value);
      setProblem(isDone ? undefined : words);
      if (isDone) toast(words);
    });

  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-lg border bg-card p-5">
      <div className="grid min-w-0 flex-1 basis-72 gap-1">
        <h2 className="font-semibold">
          {describeCount(kept, "delivery", "deliveries")} {isOne ? "is" : "are"} kept unverified
        </h2>
        <p className="text-sm text-muted-foreground">
          {isOne ? "It came" : "They came"} before the signing secret was here. What was signed with it is
          accepted and runs the hook’s actions; what was not is rejected.
        </p>
      </div>
      <Button isBusy={isPending} onClick={onClick}>
        Verify and run {isOne ? "it" : "them"}
      </Button>
      {problem !== undefined && (
        <div className="w-full">
          <Notice tone="negative">{problem}</Notice>
        </div>
      )}
    </div>
  );
}
