/** The event identity table of docs/providers.md. */

import type { Provider } from "#lib/core/providers/shapes/provider.ts";
import type { Combination } from "#lib/core/verify/batch/batch-rule.ts";
import type { IdentityPart } from "#lib/core/verify/dedupe/identify-event.ts";
import { shortSpan } from "#lib/schema/field/describe-span.ts";
import type { DedupeSource } from "#lib/schema/receive/event-rules.ts";

export function describeIdentities(sorted: readonly Provider[]): string {
  return `## Event identity

Two deliveries with the same identity are the same event: the second one gets a success response, but doesn't \
run. "Window" is how long
that applies, counted from the first one; "–" means as long as deliveries are stored, unless a part of the rule \
names a time. Without an identity, each delivery is an event, even
if a provider sends it twice, so make sure that your actions can run twice.

| Provider | Identity | Why | Window | Source |
|---|---|---|---|---|
${sorted.map(toRow).join("\n")}

### Rules without a published source

For these providers, we know of no page, package, or source code of their own that says what identifies an \
event. Their rules follow from
sample payloads and third parties. If one is wrong, please tell us: ${listWithoutSource(sorted)}.`;
}

function listWithoutSource(sorted: readonly Provider[]): string {
  return sorted
    .filter(({ identity }) => identity.source === null)
    .map(({ name }) => name)
    .join("; ");
}

function toRow(provider: Provider): string {
  const { name, identity, eventId } = provider;
  const cells = [
    name,
    describeRule(provider),
    identity.why,
    describeWindow(eventId),
    describeOrigin(identity),
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function describeOrigin({ source }: Provider["identity"]): string {
  if (source === null) return "–";
  const [, name] = /^npm (.+)$/.exec(source) ?? [];
  return name === undefined ? `[${new URL(source).hostname}](${source})` : `npm \`${name}\``;
}

function describeRule({ eventId, batch }: Provider): string {
  const isTimed = describeWindow(eventId) !== "–";
  const sources = eventId.map((source) => describeSource(source, isTimed));
  const whole = sources.length === 0 ? "nothing" : sources.join(", else ");
  if (batch === undefined) return whole;
  const content = `its content${describeExcept(batch.except)}`;
  const otherwise = batch.otherwise === "content" ? content : "its position in the body";
  const ids = batch.except === undefined ? batch.eventId.map(describeCombination) : [];
  const item = [...ids, otherwise].join(", else ");
  if (batch.isOne === true) return `of the event inside: ${item}; otherwise: ${whole}`;
  return `for each event of a batch: ${item}; otherwise: ${whole}`;
}

function describeSource(source: DedupeSource, isTimed: boolean): string {
  const parts = source.from === "all" ? source.of : [source];
  const { withinSeconds } = source;
  const span = isTimed || withinSeconds === undefined ? "" : ` (for ${shortSpan(withinSeconds)})`;
  return parts.map(describePart).join(" + ") + span;
}

function describePart(part: IdentityPart): string {
  switch (part.from) {
    case "content":
      return `the content${describeExcept(part.except)}`;
    case "request":
      return "the whole request";
    case "event":
      return "`id` in the shape of an event";
    case "header":
      return `header \`${part.name}\``;
    case "query":
      return `query \`${part.name}\``;
    case "path":
      return `segment ${part.segment} of the path`;
    default:
      return `\`${part.path}\``;
  }
}

function describeExcept(paths: readonly string[] = []): string {
  return paths.length === 0 ? "" : ` without ${paths.map((path) => `\`${path}\``).join(" and ")}`;
}

function describeCombination(paths: Combination): string {
  return paths.map((path) => `\`${path}\``).join(" + ");
}

/** One sentence if all sources have the same window. Otherwise each source has its own. */
function describeWindow(sources: readonly DedupeSource[]): string {
  const [first, ...others] = sources.map(({ withinSeconds }) => withinSeconds);
  if (first === undefined || others.some((other) => other !== first)) return "–";
  return shortSpan(first);
}
