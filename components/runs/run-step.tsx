import { Allowed } from "#components/permissions/role.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { Step } from "#components/ui/layout/timeline.tsx";
import { Link } from "#components/ui/link.tsx";
import { NextLink } from "#components/ui/next-link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { Countdown } from "#components/ui/time/countdown.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { UntilTime } from "#components/ui/time/until-time.tsx";
import type { RunReason, RunWait } from "#lib/schema/act/run.ts";
import { isEnded, type RunStatus, runStates } from "#lib/schema/act/run-states.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { HookStatus } from "#lib/schema/receive/hook.ts";
import { ActionTitle, deletedAction } from "./action-title.tsx";
import { describeHold } from "./describe-steps.ts";
import { RetryFrom, type RetryFromCommand } from "./retry-from.tsx";
import { type AttemptView, RunAttempts } from "./run-attempt.tsx";
import { type ResolveCommand, type RunMapStep, RunSteps, type StepView } from "./run-steps.tsx";

export type RunView = {
  readonly id: string;
  readonly actionId: string | null;
  readonly actionName: string | null;
  /** Null: not known yet, or the action has only one version. */
  readonly actionVersion: number | null;
  readonly status: RunStatus;
  readonly reason: RunReason | null;
  /**
   * The thing that the run waits for, or the reason why it was late. Null: its reason and attempts
   * explain everything.
   */
  readonly why: string | null;
  readonly attemptCount: number;
  readonly nextAttemptAt: Date | null;
  readonly waitsFor: RunWait | null;
  readonly createdAt: Date;
  /** Started manually after the delivery had arrived. */
  readonly isReplay: boolean;
  /** True if the run's action is enabled. */
  readonly isActionOn: boolean;
  readonly attempts: readonly AttemptView[];
  readonly olderAttempts: number;
  /** The steps of an action with several. */
  readonly steps: readonly StepView[];
  readonly hiddenSteps: number;
  /** Those steps as the action has them. Null: it has one call, or they aren't known anymore. */
  readonly stepMap: readonly RunMapStep[] | null;
};

export type RunCommand = (runId: string) => Promise<CommandResult<null>>;

type RunStepProps = {
  readonly run: RunView;
  readonly hook: { readonly id: string; readonly status: HookStatus };
  /** The delivery for trying the action in the editor. */
  readonly deliveryId: string;
  readonly nowMs: number;
  readonly retryRun: RunCommand;
  readonly retryFrom: RetryFromCommand;
  readonly cancelRun: RunCommand;
  readonly resolveStep: ResolveCommand;
};

/** One action's run for a delivery: its state, attempts, and commands. */
export function RunStep(props: RunStepProps) {
  const { run, hook, deliveryId, nowMs, retryRun, cancelRun } = props;
  const { label, tone } = runStates[run.status];
  const action =
    run.actionId === null || run.actionName === null
      ? null
      : { id: run.actionId, name: run.actionName };
  const name = action === null ? deletedAction : safeText(action.name);
  const again = run.status === "retrying" ? "Try now" : "Retry";
  return (
    <Step
      id={run.id}
      sign={runStates[run.status].sign}
      title={
        <ActionTitle action={action} deliveryId={deliveryId}>
          <Badge tone={tone}>{label}</Badge>
          {run.isReplay && <Badge>replay</Badge>}
          {run.actionVersion !== null && action !== null && (
            <Link
              href={`/actions/${action.id}/versions/${run.actionVersion}`}
              className="text-xs font-normal text-muted-foreground underline-offset-4 hover:underline"
            >
              Version {run.actionVersion}
            </Link>
          )}
        </ActionTitle>
      }
      aside={<RelativeTime at={run.createdAt} nowMs={nowMs} />}
    >
      <Situation run={run} hook={hook} nowMs={nowMs} />
      {run.steps.length > 0 && (
        <RunSteps
          runId={run.id}
          map={run.stepMap}
          steps={run.steps}
          hiddenSteps={run.hiddenSteps}
          nowMs={nowMs}
          resolve={props.resolveStep}
        />
      )}
      {run.steps.length === 0 && run.attempts.length > 0 && (
        <RunAttempts attempts={run.attempts} nowMs={nowMs} className="grid grid-cols-1 gap-1.5" />
      )}
      {run.olderAttempts > 0 && (
        <p>{run.olderAttempts} earlier attempts are not shown here; the API has them.</p>
      )}
      <Allowed to="deliveries:write">
        <div className="flex flex-wrap gap-2">
          {canRetry(run) && run.status === "succeeded" && (
            <RetryAgain name={name} retry={retryRun.bind(null, run.id)} />
          )}
          {canRetry(run) && run.status !== "succeeded" && (
            <CommandButton ariaLabel={`${again} ${name}`} run={retryRun.bind(null, run.id)}>
              {again}
            </CommandButton>
          )}
          {canRetry(run) && run.steps.length > 0 && (
            <RetryFrom
              name={name}
              keys={[...new Set(run.steps.map(({ key }) => key))]}
              retryFrom={props.retryFrom.bind(null, run.id)}
            />
          )}
          {canCancel(run) && (
            <CommandButton
              look="danger"
              ariaLabel={`Cancel ${name}`}
              run={cancelRun.bind(null, run.id)}
            >
              Cancel
            </CommandButton>
          )}
        </div>
      </Allowed>
    </Step>
  );
}

function Situation({ run, hook, nowMs }: Pick<RunStepProps, "run" | "hook" | "nowMs">) {
  if (run.waitsFor !== null) return <Wait waitsFor={run.waitsFor} nowMs={nowMs} />;
  if (run.status === "held" && run.reason?.code !== "outcome_unknown") {
    return (
      <p>
        {run.why === null ? describeHold(hook.status, run.isActionOn) : safeText(run.why)}{" "}
        <NextLink href={`/hooks/${hook.id}`}>Go to the hook</NextLink>
      </p>
    );
  }
  if (run.why !== null) return <p className="break-words">{safeText(run.why)}</p>;
  if (run.status === "retrying" && run.nextAttemptAt !== null) {
    const what = run.steps.length > 0 ? "It continues" : `Attempt ${run.attemptCount + 1}`;
    return (
      <p>
        {what} in <Countdown until={run.nextAttemptAt} nowMs={nowMs} />.
      </p>
    );
  }
  if (run.reason === null) return null;
  return <p className="break-words">{safeText(run.reason.detail)}</p>;
}

function Wait({ waitsFor, nowMs }: { waitsFor: RunWait; nowMs: number }) {
  if (waitsFor.kind === "order") {
    const { runId, deliveryId, createdAt } = waitsFor;
    return (
      <p>
        Waits for <NextLink href={`/deliveries/${deliveryId}#${runId}`}>the run</NextLink> of{" "}
        <RelativeTime at={createdAt} nowMs={nowMs} /> with the same key.
      </p>
    );
  }
  if (waitsFor.kind === "action")
    return (
      <p>
        Held since <RelativeTime at={waitsFor.heldSince} nowMs={nowMs} />.{" "}
        {safeText(waitsFor.reason)} Change the action, or release it on its page.
      </p>
    );
  return (
    <p>
      Held: receiver down since <RelativeTime at={waitsFor.downSince} nowMs={nowMs} />, next try{" "}
      <UntilTime untilMs={waitsFor.nextTryAt.getTime()} nowMs={nowMs} />.
    </p>
  );
}

/** Asks for confirmation before calling again after a success. */
function RetryAgain({ name, retry }: { name: string; retry: () => Promise<CommandResult<null>> }) {
  return (
    <ConfirmButton
      look="secondary"
      confirmLook="primary"
      label="Retry"
      ariaLabel={`Retry ${name}`}
      title={`Retry “${name}”?`}
      keepLabel="Cancel"
      confirmLabel="Retry run"
      run={retry}
    >
      <p>
        The receiver already accepted this request. It is sent again with the same Idempotency-Key.
        A receiver that ignores the key processes it twice.
      </p>
    </ConfirmButton>
  );
}

function canRetry({ status, actionName }: RunView): boolean {
  // Its filter would skip it again.
  if (actionName === null || status === "skipped") return false;
  return isEnded(status) || status === "retrying";
}

function canCancel({ status }: RunView): boolean {
  return !isEnded(status);
}
