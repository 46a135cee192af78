import type { ComponentProps } from "react";
import type { HookSettings } from "#components/hook-settings/hook-settings.tsx";
import { describeRule, type StoredRule } from "#components/hook-settings/source-rule.ts";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { TextBlock } from "#components/ui/text/text-block.tsx";
import { UntilTime } from "#components/ui/time/until-time.tsx";
import { capitalize } from "#lib/base/capitalize.ts";
import { describeSpan } from "#lib/schema/field/describe-span.ts";
import { exactly, type Fact, Facts, linesOf, onOff } from "./facts.tsx";

type HookFactsProps = Pick<ComponentProps<typeof HookSettings>, "hook" | "secrets" | "nowMs">;
type Hook = HookFactsProps["hook"];

/** The settings of a hook, for people who can't change them. */
export function HookFacts(props: HookFactsProps) {
  return (
    <div className="grid max-w-4xl grid-cols-1 gap-4">
      <Facts title="Verification" facts={listVerification(props)} />
      <Facts title="Behavior" facts={listBehavior(props.hook)} />
      <Facts title="Data" facts={listData(props.hook)} />
    </div>
  );
}

function listVerification({ hook, secrets, nowMs }: HookFactsProps): readonly Fact[] {
  const { settings, settingValues, toleranceSeconds, defaultToleranceSeconds, replay } = hook;
  const tolerance = toleranceSeconds ?? defaultToleranceSeconds;
  return [
    ["Catch URL", exactly(hook.catchUrl)],
    ["Previous URLs that work", linesOf(hook.previousUrls.map(({ catchUrl }) => catchUrl))],
    ["Provider", safeText(hook.providerName)],
    ...settings.map(({ name, label }): Fact => [label, textOf(settingValues[name])]),
    ["Signing secret", hook.takesSecret ? writeSecrets(secrets, nowMs) : null],
    ["Time window", tolerance === null ? null : describeSpan(tolerance)],
    ["Replay protection", replay?.isPossible === true ? onOff(replay.isOn) : null],
  ];
}

function textOf(value: string | undefined) {
  return exactly(value ?? "");
}

function writeSecrets(secrets: HookFactsProps["secrets"], nowMs: number) {
  if (secrets.length === 0) return "None yet";
  return (
    <ul className="grid gap-0.5">
      {secrets.map(({ id, hint, expiresAt }) => (
        <li key={id}>
          {exactly(`…${hint}`)}
          {expiresAt !== null && (
            <>
              {" until "}
              <UntilTime untilMs={expiresAt.getTime()} nowMs={nowMs} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

function listBehavior(hook: Hook): readonly Fact[] {
  const { methods, splitBatches, cors, ratePerSecond, defaultRate, response, reply } = hook;
  const rate = ratePerSecond ?? defaultRate;
  return [
    ["De-duplication", writeRule(hook.dedupe, "Off: each delivery is a new event")],
    ["Event type", writeRule(hook.eventType, "None")],
    ["Methods", methods.join(", ")],
    ["Split batches", onOff(splitBatches)],
    ["Pages that may send", cors === null ? null : linesOf(cors.origins)],
    ["Rate limit", rate === 0 ? "None" : `${describeCount(rate, "request")} a second`],
    ["Published as an event", writePublish(hook.publish)],
    ["Response", response === null ? "200 with the id of the delivery" : writeParts(response)],
    ["Reply", reply === null ? null : writeReply(reply, hook.actions)],
  ];
}

function writeRule(rule: StoredRule, none: string): string {
  return rule === null ? none : safeText(capitalize(describeRule(rule)));
}

function writePublish(publish: Hook["publish"]): string {
  if (publish === null) return "No";
  const { eventType, recipientPath } = publish;
  const parts = [
    ...(eventType === null ? [] : [`type ${eventType}`]),
    ...(recipientPath === null ? [] : [`recipient from ${recipientPath}`]),
  ];
  return safeText(["Yes", ...parts].join(", "));
}

function writeParts(parts: {
  readonly status: number | string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}) {
  const { status, headers, body } = parts;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return <TextBlock label="Response" text={[String(status), ...lines, "", body].join("\n")} />;
}

function writeReply(reply: NonNullable<Hook["reply"]>, actions: Hook["actions"]) {
  const name = actions.find(({ id }) => id === reply.actionId)?.name ?? "A deleted action";
  return (
    <div className="grid min-w-0 gap-2">
      <p>
        {safeText(name)}, within {describeSpan(reply.waitSeconds)}
      </p>
      {writeParts(reply)}
    </div>
  );
}

function listData(hook: Hook): readonly Fact[] {
  const { silence, fieldSearch, retentionDays, retentionCount, defaultRetentionDays } = hook;
  const days = retentionDays ?? defaultRetentionDays;
  return [
    ["Problem on silence", writeSilence(silence)],
    ["Field search", onOff(fieldSearch)],
    ["Retention", days === 0 ? "No limit" : describeCount(days, "day")],
    [
      "Newest deliveries kept",
      retentionCount === null ? null : retentionCount.toLocaleString("en"),
    ],
  ];
}

function writeSilence({ enabled, expectEveryMinutes }: Hook["silence"]): string {
  if (!enabled || expectEveryMinutes === null) return onOff(enabled);
  return `On: at least one every ${describeSpan(expectEveryMinutes * 60)}`;
}
