import { describeSize } from "#lib/base/describe-size.ts";
import { describeOffset } from "#lib/core/watch/follow-clock.ts";
import { describeSpan } from "#lib/schema/field/describe-span.ts";
import type { ProblemDetails, ProblemFacts, ProblemResolution } from "#lib/schema/watch/problem.ts";

/** The facts that the words for a problem are about, on pages and in messages. */
export type DescribedProblem = Pick<
  ProblemFacts,
  "kind" | "hookName" | "actionName" | "receiverUrl"
> & {
  readonly reason: string | null;
  readonly details: ProblemDetails;
  /** The name, or else the id, of the subscription's recipient. */
  readonly recipient: string | null;
};

/**
 * One line that says what is wrong with what, without a full stop.
 *
 * @param nameReceiver by its host unless given: messages leave the server, and a path may be a secret
 */
export function titleOfProblem(
  { reason, details, ...names }: DescribedProblem,
  nameReceiver = hostOf,
): string {
  const { actionName, hookName } = names;
  switch (details.kind) {
    case "action_failing":
      return `${actionName ?? "A deleted action"} fails: ${describeReason(reason)}`;
    case "subscription_failing":
      return `Sends to ${describeReceiver(names, nameReceiver)} fail: ${describeReason(reason)}`;
    case "audit_failing":
      return `The audit log can't be sent to ${details.host}`;
    case "rejected":
      return `${hookName ?? "A deleted hook"} rejects requests: ${describeReason(reason)}`;
    case "silence":
      return details.isOnlyRejected
        ? `${hookName ?? "A deleted hook"} accepts nothing: every request is rejected`
        : `${hookName ?? "A deleted hook"} is silent`;
    case "shape": {
      const { eventType, changes } = details;
      const paths = changes.map(({ path }) => path);
      const more = paths.length > 2 ? ` and ${paths.length - 2} more` : "";
      return `${eventType ?? hookName ?? "A deleted hook"} changed its shape: ${paths.slice(0, 2).join(", ")}${more}`;
    }
    case "missing_events":
      return describeMissing(hookName ?? "A deleted hook", details.missing);
    case "disk":
      return "The disk of the database is nearly full";
    case "spool":
      return details.waiting > 0
        ? "Deliveries wait in the spool"
        : "The spool has deliveries that can't be stored";
    case "archive":
      return `The week of ${details.week} can't be archived`;
    case "clock":
      return details.refuses
        ? "Deliveries are rejected because a clock is wrong"
        : "A clock is wrong";
    case "registration":
      return `${hookName ?? "A deleted hook"} can't be kept registered at ${details.provider}`;
    case "quota":
      return details.used >= details.limit
        ? `${details.recipient} has used up its quota`
        : `${details.recipient} has used ${Math.floor((100 * details.used) / details.limit)}% of its quota`;
    case "certificate":
      return `The client certificate ${details.name} ${details.hasExpired ? "has expired" : "expires soon"}`;
    case "database":
      return `PostgreSQL was away for ${describeSpan(details.seconds)}`;
    default:
      return details satisfies never;
  }
}

/** The last occurrence in a sentence. Null: there is no more to say than the title. */
export function messageOfProblem(details: ProblemDetails): string | null {
  switch (details.kind) {
    case "shape":
      return describeShape(details);
    case "disk":
      return (
        `${describeSize(details.freeBytes)} of ${describeSize(details.totalBytes)} are free. ` +
        `Below ${describeSize(details.minFreeBytes)}, deliveries are rejected.`
      );
    case "spool":
      return describeSpool(details);
    case "clock":
      return details.machines
        .map(
          ({ host, offsetSeconds }) =>
            `The clock of ${host} is ${describeOffset(offsetSeconds * 1_000)}.`,
        )
        .join(" ");
    case "quota":
      return describeQuota(details);
    case "certificate":
      return describeCertificate(details);
    case "database":
      return describeOutage(details);
    default:
      return details.message;
  }
}

function describeMissing(hookName: string, missing: number | null): string {
  if (missing === null) return `${hookName} can't be searched for missing events`;
  return `${hookName} is missing ${missing === 1 ? "1 event" : `${missing.toLocaleString("en")} events`}`;
}

function describeSpool({
  waiting,
  setAside,
  hosts,
  asideNames,
}: Extract<ProblemDetails, { kind: "spool" }>): string {
  const place = hosts.length === 0 ? "" : ` on ${hosts.join(", ")}`;
  const accepted = `${countDeliveries(waiting)} accepted and not stored yet${place}.`;
  const names = listNames(asideNames, setAside);
  const unstorable = `${countDeliveries(setAside)} set aside${place}, because they can't be stored${names}.`;
  return [...(waiting > 0 ? [accepted] : []), ...(setAside > 0 ? [unstorable] : [])].join(" ");
}

function listNames(names: readonly string[], count: number): string {
  if (names.length === 0) return "";
  const more = count - names.length;
  return `: ${names.join(", ")}${more > 0 ? `, and ${more.toLocaleString("en")} more` : ""}`;
}

function describeOutage({ deliveries }: Extract<ProblemDetails, { kind: "database" }>): string {
  if (deliveries === 0)
    return "It is back. What couldn't be stored meanwhile got 503, and most providers send it again.";
  return `It is back. The spool took ${countDeliveries(deliveries)} meanwhile. They are stored.`;
}

function describeQuota(details: Extract<ProblemDetails, { kind: "quota" }>): string {
  const { used, limit, per, whenUsedUp, resetsOn } = details;
  const [some, all] = [used.toLocaleString("en"), limit.toLocaleString("en")];
  const later = whenUsedUp === "delay" ? "wait" : "are canceled";
  const period = per === "day" ? "today" : "this month";
  return `${some} of ${all} sends are used ${period}. Later ones ${later} until ${resetsOn} (UTC).`;
}

function describeCertificate({
  origin,
  expiresAt,
  hasExpired,
}: Extract<ProblemDetails, { kind: "certificate" }>): string {
  const at = `${expiresAt.slice(0, 10)} ${expiresAt.slice(11, 16)} UTC`;
  return hasExpired
    ? `It ended on ${at}. ${origin} may reject calls until it is replaced.`
    : `It ends on ${at}. From then on, ${origin} may reject calls.`;
}

function countDeliveries(count: number): string {
  return count === 1 ? "1 delivery" : `${count.toLocaleString("en")} deliveries`;
}

type ShapeDetails = Extract<ProblemDetails, { kind: "shape" }>;

/** `total was number and is text now. Read by Notify finance (body.amount).` */
function describeShape({ changes, actions }: ShapeDetails): string {
  const said = changes.slice(0, maxNamed).map(describeChange);
  const more = changes.length - said.length;
  const changed = [...said, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  if (actions.length === 0) return `${changed}. No action reads what changed.`;
  const reads = actions.slice(0, maxNamed).map(({ name, readBy }) => {
    const places = readBy.slice(0, maxNamed).join(", ");
    return places === "" ? name : `${name} (${places})`;
  });
  const others = actions.length - reads.length;
  return `${changed}. Read by ${reads.join(", ")}${others > 0 ? `, and ${others} more` : ""}.`;
}

const maxNamed = 3;

function describeChange({ path, change, before, after }: ShapeDetails["changes"][number]): string {
  switch (change) {
    case "missing":
      return `${path} is missing`;
    case "new":
      return `${path} is new`;
    case "type":
      return `${path} was ${before ?? "unknown"} and is ${after ?? "unknown"} now`;
    default:
      return change satisfies never;
  }
}

/** How a problem ended. */
export function describeResolution(resolution: ProblemResolution, by: string | null): string {
  switch (resolution) {
    case "recovered":
      return "It is over.";
    case "manual":
      return `Resolved by ${by ?? "a person"}.`;
    case "muted":
      return "Its failures were muted.";
    case "deleted":
      return "What it was about was deleted.";
    case "disabled":
      return "What it was about was disabled.";
    default:
      return resolution satisfies never;
  }
}

/** The cause of a failure in words: `failure_cause()` of the database, or a reason's code. */
function describeReason(reason: string | null): string {
  if (reason === null) return "for an unknown reason";
  const status = /^status_(\d{3})$/.exec(reason)?.[1];
  if (status !== undefined) return `the receiver responds with ${status}`;
  return reasons[reason] ?? reason.replaceAll("_", " ");
}

const reasons: Readonly<Record<string, string>> = {
  receiver_down: "the receiver is down or doesn't respond",
  unsuccessful: "responses don't meet the success rule",
  mapping_failed: "the request can't be built",
  blocked: "the address may not be called",
  credential: "the credential can't be used",
  loop: "the URL points to this server",
  signature_invalid: "the signature is invalid",
  invalid_json: "the body isn't valid JSON",
  signature_missing: "the signature is missing",
  signature_mismatch: "the signature doesn't match",
  rate_limited: "too many requests",
  unknown: "for an unknown reason",
};

/** `Globex (hooks.zapier.com)`: many customers have their receivers at the same host. */
function describeReceiver(
  { receiverUrl, recipient }: Pick<DescribedProblem, "receiverUrl" | "recipient">,
  nameReceiver: (receiverUrl: string) => string,
): string {
  if (receiverUrl === null) return "a deleted subscription";
  const name = nameReceiver(receiverUrl);
  return recipient === null ? name : `${recipient} (${name})`;
}

function hostOf(receiverUrl: string): string {
  return URL.parse(receiverUrl)?.host ?? receiverUrl;
}
