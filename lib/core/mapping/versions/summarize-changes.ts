import { capitalize } from "#lib/base/capitalize.ts";
import type { VersionChange } from "./diff-versions.ts";

/** Summarizes a version's changes: "Changed the URL. Added header X-Team." */
export function summarizeChanges(changes: readonly VersionChange[]): string {
  if (changes.length === 0) return "Changed the order of fields.";
  const verbs = new Map<string, Verb>();
  for (const change of changes) {
    const { label, isWhole } = labelOf(change.path);
    const verb = isWhole ? verbOf(change) : "Changed";
    verbs.set(label, verbs.get(label) === undefined ? verb : "Changed");
  }
  const shown = [...verbs].slice(0, maxNamed);
  const byVerb = Map.groupBy(shown, ([, verb]) => verb);
  const sentences = [...byVerb].map(
    ([verb, named]) => `${verb} ${list(named.map(([label]) => label))}.`,
  );
  const more = verbs.size - shown.length;
  if (more > 0) sentences.push(more === 1 ? "1 more change." : `${more} more changes.`);
  return sentences.join(" ");
}

/** The name of a change: "URL of step call". */
export function nameChange({ path }: Pick<VersionChange, "path">): string {
  const { label } = labelOf(path);
  const name = label.replace(/^the /, "");
  return capitalize(name);
}

const maxNamed = 4;
type Verb = "Changed" | "Added" | "Removed";

type Label = {
  readonly label: string;
  /** The change affects the whole thing, not just a part of it. */
  readonly isWhole: boolean;
};

function labelOf([head = "", ...rest]: readonly string[]): Label {
  if (head === "request") return labelOfRequest(rest);
  if (head === "steps") return labelOfStep(rest);
  return { label: fields[head] ?? head, isWhole: rest.length === 0 };
}

function labelOfStep([key, ...rest]: readonly string[]): Label {
  if (key === undefined) return { label: "the order of the steps", isWhole: false };
  const [field, ...inside] = rest;
  if (field === undefined) return { label: `step ${key}`, isWhole: true };
  if (field === "onFailure" && inside[0] === "steps" && inside.length > 1)
    return labelOfStep(inside.slice(1));
  const { label, isWhole } =
    field === "request"
      ? labelOfRequest(inside)
      : { label: stepFields[field] ?? fields[field] ?? field, isWhole: inside.length === 0 };
  return { label: `${label} of step ${key}`, isWhole };
}

function labelOfRequest([field, name, ...rest]: readonly string[]): Label {
  if (field === undefined) return { label: "the call", isWhole: true };
  if (field === "headers" && name !== undefined)
    return { label: `header ${name}`, isWhole: rest.length === 0 };
  if (field === "query" && name !== undefined)
    return { label: `query parameter ${name}`, isWhole: rest.length === 0 };
  return { label: requestFields[field] ?? field, isWhole: name === undefined };
}

const requestFields: Readonly<Record<string, string>> = {
  method: "the method",
  url: "the URL",
  headers: "the headers",
  query: "the query",
  body: "the body",
  bodyText: "the body",
  multipart: "the body",
  forward: "forwarding",
  auth: "the credentials",
  destinationId: "the destination",
};

const fields: Readonly<Record<string, string>> = {
  filter: "the filter",
  retry: "the retries",
  rateLimit: "the rate limit",
  timeoutMs: "the timeout",
  maxConcurrency: "the concurrency limit",
  order: "the order",
  success: "what counts as success",
  breaker: "the circuit breaker",
};

const stepFields: Readonly<Record<string, string>> = {
  kind: "the kind",
  when: "the condition",
  forEach: "the list",
  code: "the code",
  ms: "the delay",
  until: "the delay",
  type: "the event",
  recipient: "the event",
  data: "the event",
  onUnknown: "what happens after a crash",
  onFailure: "what happens on failure",
};

function verbOf({ before, after }: VersionChange): Verb {
  if (before === undefined || before === null) return "Added";
  return after === undefined || after === null ? "Removed" : "Changed";
}

function list(labels: readonly string[]): string {
  return new Intl.ListFormat("en").format(labels);
}
