import type { ProblemDetails, ProblemKind } from "#lib/schema/watch/problem.ts";

type Problem = {
  readonly kind: ProblemKind;
  readonly reason: string | null;
  readonly hookId: string | null;
  readonly actionId: string | null;
  readonly subscriptionId: string | null;
  readonly deliveryId: string | null;
  readonly details: ProblemDetails;
};

/** The next step of a person who sees a problem, and where to take it. */
type NextStep = { readonly text: string; readonly link: string; readonly href: string };

/** Null: what it is about was deleted. */
export function findNextStep(problem: Problem): NextStep | null {
  const { kind, reason, hookId, actionId, subscriptionId, deliveryId, details } = problem;
  switch (kind) {
    case "action_failing":
      return actionId === null ? null : fixAction(actionId, { reason, deliveryId, details });
    case "subscription_failing":
      return subscriptionId === null
        ? null
        : {
            text: "Sends are repeated for a while. What failed for good can be recovered.",
            link: "Open the subscription",
            href: `/subscriptions/${subscriptionId}`,
          };
    case "audit_failing":
      return {
        text: "Fix the receiver or its URL. Entries wait, and are sent in order once it accepts them.",
        link: "Open the audit log",
        href: "/account/audit",
      };
    case "rejected":
      return deliveryId === null
        ? toSettings(hookId, "Compare the secret with the provider's.", "")
        : {
            text: "The rejected delivery says why, and what to change.",
            link: "Open the rejected delivery",
            href: `/deliveries/${deliveryId}`,
          };
    case "silence":
      return toSettings(
        hookId,
        "Check at the provider whether the webhook is still enabled, or change the expected interval.",
        "#silence",
      );
    case "shape":
      return {
        text: "Change the mappings below. Resolve the problem to accept the new shape.",
        link: "Read about shapes",
        href: "/docs/silence-and-shape",
      };
    case "missing_events":
      return hookId === null
        ? null
        : {
            text:
              details.kind === "missing_events" && details.missing === null
                ? "Do what the message says. Where the provider lists events, the back-fill shows what is missing."
                : "Look at what is missing, and take it in, or change the schedule or its credential.",
            link: "Open the back-fill",
            href: `/hooks/${hookId}/backfill?search=missing`,
          };
    case "disk":
      return {
        text: "Make room, enlarge the disk, or store deliveries for fewer days.",
        link: "Read about storage",
        href: "/docs/operations#retention",
      };
    case "spool":
      return {
        text:
          "What waits is stored once the database is back, and never runs twice. If it still waits, the " +
          "log says why: spool.held_up or spool.not_drained. On the machine, npm run server -- spool " +
          "list shows what can't be stored.",
        link: "Read about the spool",
        href: "/docs/operations/spool",
      };
    case "archive":
      return {
        text: "Fix what the message says. The week stays until it is archived, and is tried again every hour.",
        link: "Read about the archive",
        href: "/docs/archive#when-it-fails",
      };
    case "clock":
      return {
        text:
          "Set the clock, and keep it synchronized, for example with chrony. If it was ahead before and is right " +
          "now, run npm run server -- clock accept on the machine.",
        link: "Read about clocks",
        href: "/docs/operations#clocks",
      };
    case "registration":
      return hookId === null
        ? null
        : {
            text: "Do what the message says, and connect the hook again.",
            link: "Open the registration",
            href: `/hooks/${hookId}/registration`,
          };
    case "quota":
      return details.kind !== "quota"
        ? null
        : {
            text: "Raise the quota, or tell the customer. The problem is over when the next period begins.",
            link: "Open the recipient",
            href: `/recipients/${encodeURIComponent(details.recipient)}`,
          };
    case "certificate":
      return details.kind !== "certificate"
        ? null
        : {
            text: "Replace it. Every use switches to the new one with its next call.",
            link: "Open the credential",
            href: `/credentials/${details.credentialId}`,
          };
    case "database":
      return {
        text:
          "Nothing to do here: everything works again. PostgreSQL's own log says why it was away. " +
          "With a spool, deliveries are accepted all the same.",
        link: "Read about the spool",
        href: "/docs/operations/spool",
      };
    default:
      return kind satisfies never;
  }
}

function fixAction(
  id: string,
  { reason, deliveryId, details }: Pick<Problem, "reason" | "deliveryId" | "details">,
): NextStep {
  const query = deliveryId === null ? "" : `?${new URLSearchParams({ delivery: deliveryId })}`;
  if (reason === "receiver_down")
    return {
      text: "Runs are retried while the receiver is down. Retry what failed for good once it is back.",
      link: "Open the failed runs",
      href: `/runs?${new URLSearchParams({ status: "failed", actionId: id })}`,
    };
  if (reason === "credential")
    return { text: "Renew the credential.", link: "Open credentials", href: "/credentials" };
  return {
    text: "The action opens with the delivery that failed, and shows the request that it makes of it.",
    link: "Open the action",
    href: `/actions/${id}${query}${reason === "mapping_failed" ? toField(details) : ""}`,
  };
}

/** The field that a message begins with, as in "body.email: data.email is not in this payload". */
function toField(details: ProblemDetails): string {
  const message = details.kind === "action_failing" ? (details.message ?? "") : "";
  const place = /^((?:body|headers|query)\.\S+): /.exec(message)?.[1];
  return place === undefined ? "" : `#${encodeURIComponent(place)}`;
}

function toSettings(hookId: string | null, text: string, anchor: string): NextStep | null {
  if (hookId === null) return null;
  return { text, link: "Open the hook's settings", href: `/hooks/${hookId}/settings${anchor}` };
}
