import type { ActionDraft } from "#components/actions/draft/action-draft.ts";
import { isOneCall } from "#components/actions/draft/action-draft.ts";
import { describeRate } from "#components/actions/draft/rate-draft.ts";
import type { RequestDraft } from "#components/actions/draft/request-draft.ts";
import {
  describeRetry,
  type RetryDraft,
  readRetryDraft,
} from "#components/actions/draft/retry-draft.ts";
import type { StepDraft, WorkOf } from "#components/actions/draft/step-draft.ts";
import type { StoredAuths } from "#components/actions/draft/step-views.ts";
import { listMarks } from "#components/actions/steps/describe-step.ts";
import type { Pair } from "#components/ui/form/pairs.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { capitalize } from "#lib/base/capitalize.ts";
import { listedOptions } from "#lib/schema/act/action-options.ts";
import { blockOf, exactly, type Fact, Facts, linesOf, onOff } from "./facts.tsx";
import { writeConditions } from "./write-conditions.ts";

type Named = { readonly id: string; readonly name: string };

type ActionFactsProps = {
  readonly draft: ActionDraft;
  readonly storedAuths: StoredAuths;
  /** The destinations and credentials that calls can use. */
  readonly choices: Readonly<Record<"destinations" | "credentials", readonly Named[]>>;
};

/** The work of an action, for people who can't change it. */
export function ActionFacts({ draft, storedAuths, choices }: ActionFactsProps) {
  const hasSteps = !isOneCall(draft);
  return (
    <div className="grid max-w-4xl grid-cols-1 gap-4">
      <Facts title="When it runs" facts={listConditions(draft)} />
      {draft.steps
        .flatMap((step) => [step, ...step.branch])
        .map((step) => (
          <Facts
            key={step.id}
            title={hasSteps ? `${titles[step.work.kind]}: ${step.key}` : "Request"}
            facts={[...listStep(step), ...listWork(step, { storedAuths, choices })]}
          />
        ))}
      <Facts title="Retries and limits" facts={listLimits(draft)} />
    </div>
  );
}

const titles = {
  call: "Call",
  transform: "Transform",
  delay: "Delay",
  publish: "Publish",
} as const;

function listConditions({ enabled, filter }: ActionDraft): readonly Fact[] {
  return [
    ["Action", onOff(enabled)],
    ["Runs on", linesOf(writeConditions(filter)) ?? "Every accepted delivery"],
  ];
}

function listStep(step: StepDraft): readonly Fact[] {
  const marks = listMarks(step);
  return [
    ["Only when", linesOf(writeConditions(step.when))],
    ["Runs", marks.length === 0 ? null : safeText(capitalize(marks.join(", ")))],
  ];
}

type Known = Pick<ActionFactsProps, "storedAuths" | "choices">;

function listWork({ key, work }: StepDraft, known: Known): readonly Fact[] {
  switch (work.kind) {
    case "call":
      return listCall(work, key, known);
    case "transform":
      return [["Code", blockOf("Code", work.code)]];
    case "delay":
      return [[work.mode === "for" ? "Waits" : "Waits until", safeText(work[work.mode])]];
    case "publish":
      return [
        ["Event type", exactly(work.type)],
        ["Recipient", exactly(work.recipient)],
        ["Data", blockOf("Data", work.data)],
      ];
    default:
      return work satisfies never;
  }
}

function listCall(
  { request, timeout, retry }: WorkOf<"call">,
  key: string,
  { storedAuths, choices }: Known,
): readonly Fact[] {
  const { method, url, headers, query, auth, destinationId } = request;
  return [
    ["Calls", exactly(`${method} ${url}`)],
    ["Query", linesOf(writePairs(query, "="))],
    ["Headers", linesOf(writePairs(headers, ": "))],
    ["Body", writeBody(request)],
    ["Credentials", writeAuth(auth, storedAuths[key], choices.credentials)],
    [
      "Destination",
      destinationId === null ? null : safeText(nameOf(destinationId, choices.destinations)),
    ],
    ["Timeout", timeout === "" ? null : `${timeout} s`],
    ["Retries", retry === null ? null : writeRetry(retry)],
  ];
}

function writePairs(pairs: readonly Pair[], between: string): readonly string[] {
  return pairs
    .filter(({ name }) => name !== "")
    .map(({ name, value }) => `${name}${between}${value}`);
}

function writeBody(request: RequestDraft) {
  switch (request.bodyMode) {
    case "none":
      return null;
    case "fields":
      return linesOf(writePairs(request.bodyFields, ": "));
    case "json":
      return blockOf("Body", request.bodyJson);
    case "text":
      return blockOf("Body", request.bodyText);
    case "multipart":
      return linesOf(request.parts.map(({ name, value }) => `${name}: ${value}`));
    case "forward":
      return "The delivery's body, as it arrived";
    default:
      return request.bodyMode satisfies never;
  }
}

function writeAuth(
  auth: RequestDraft["auth"],
  stored: StoredAuths[string] | undefined,
  credentials: readonly Named[],
) {
  if (auth.type === "credential") return safeText(nameOf(auth.credentialId, credentials));
  if (auth.type !== "keep") return null;
  const hint = stored?.hint ?? null;
  return hint === null ? "Stored with the action" : `Stored with the action, ends in ${hint}`;
}

function nameOf(id: string, choices: readonly Named[]): string {
  return choices.find((choice) => choice.id === id)?.name ?? id;
}

function listLimits(draft: ActionDraft): readonly Fact[] {
  const { retry, control, options, rateCount, rateSeconds } = draft;
  const { successStatuses, successWhen, orderBy, orderSkip, hasBreaker, breaker } = control;
  return [
    ["Retries", writeRetry(retry)],
    ["Success", successStatuses === "" ? "2xx" : successStatuses],
    ["And the response", linesOf(writeConditions(successWhen))],
    ...listedOptions.map(
      ([name, { label }]): Fact => [label, options[name] === "" ? null : options[name]],
    ),
    [
      "Rate limit",
      rateCount === "" ? null : describeRate({ count: rateCount, perSeconds: rateSeconds }),
    ],
    ["In order by", exactly(orderBy)],
    ["Skips a failing run after", orderSkip === "" ? null : `${orderSkip} s`],
    [
      "Circuit breaker",
      hasBreaker
        ? `Pauses for ${breaker.openSeconds} s after ${breaker.failures} failures in ${breaker.windowSeconds} s`
        : null,
    ],
  ];
}

function writeRetry(retry: RetryDraft): string {
  const read = readRetryDraft(retry);
  return read.ok ? capitalize(describeRetry(read.policy)) : "–";
}
