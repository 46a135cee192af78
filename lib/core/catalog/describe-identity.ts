/** The event identity table of docs/providers.md. */
import type { Combination } from "#lib/core/batch/batch-rule.ts";
import type { IdentityPart } from "#lib/core/dedupe/identify-event.ts";
import type { Provider } from "#lib/core/providers/shapes/provider.ts";
import type { DedupeSource } from "#lib/schema/hook.ts";

export function describeIdentities(sorted: readonly Provider[]): string {
  return `## Event identity

Two deliveries with the same identity are the same event: the second one gets a success response, but doesn't run. "Window" is how long
that applies, counted from the first one; "–" means as long as deliveries are stored. Without an identity, each delivery is an event, even
if a provider sends it twice, so make sure that your actions can run twice.

| Provider | Identity | Why | Window |
|---|---|---|---|
${sorted.map(toRow).join("\n")}`;
}

function toRow(provider: Provider): string {
  const { name, identity, eventId } = provider;
  const cells = [name, describeRule(provider), identity.why, describeWindows(eventId)];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function describeRule({ eventId, batch }: Provider): string {
  const whole = eventId.length === 0 ? "nothing" : eventId.map(describeSource).join(", else ");
  if (batch === undefined) return whole;
  const otherwise = batch.otherwise === "content" ? "its content" : "its position in the body";
  const item = [...batch.eventId.map(describeCombination), otherwise].join(", else ");
  return `for each event of a batch: ${item}; otherwise: ${whole}`;
}

function describeSource(source: DedupeSource): string {
  return source.from === "all" ? source.of.map(describePart).join(" + ") : describePart(source);
}

function describePart(part: IdentityPart): string {
  if (part.from === "content") return "the content";
  return part.from === "header" ? `header \`${part.name}\`` : `\`${part.path}\``;
}

function describeCombination(paths: Combination): string {
  return paths.map((path) => `\`${path}\``).join(" + ");
}

function describeWindows(sources: readonly DedupeSource[]): string {
  const windows = sources.flatMap(({ withinSeconds }) =>
    withinSeconds === undefined ? [] : [withinSeconds],
  );
  const [first] = windows;
  if (first === undefined) return "–";
  const span = first % 3600 === 0 ? `${first / 3600} h` : `${first / 60} min`;
  return windows.length === sources.length ? span : `${span} for the content`;
}
