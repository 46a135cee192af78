import {
  type DescribedProblem,
  describeResolution,
  messageOfProblem,
  titleOfProblem,
} from "#lib/core/watch/describe-problem.ts";
import { nameReceiver } from "#lib/schema/send/name-receiver.ts";
import type { AlertEvent } from "#lib/schema/watch/alert.ts";
import type { ProblemFacts, ProblemResolution } from "#lib/schema/watch/problem.ts";

/** A problem, as far as messages say something of it. */
export type AlertProblem = DescribedProblem &
  Pick<
    ProblemFacts,
    "state" | "firstAt" | "lastAt" | "count" | "resolvedAt" | "resolvedBy" | "acknowledgedBy"
  > & {
    readonly id: string;
    readonly resolution: ProblemResolution | null;
  };

/** The content of a message, whatever the channel. */
export type AlertMessage = {
  /** The same each time that it is sent: receivers recognize a repeat by it. */
  readonly id: string;
  readonly event: AlertEvent | "test";
  /** `wrong`: something needs a person. `over`: nothing does anymore. `note`: neither. */
  readonly tone: "wrong" | "over" | "note";
  readonly title: string;
  readonly text: string | null;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly account: string;
  /** The page of the problem, or the list. */
  readonly url: string;
  /** Null: a test or a digest. */
  readonly problem: AlertProblem | null;
  /** The text of the link, and why the message is sent. Omitted: as for a channel of the account. */
  readonly link?: string;
  readonly footnote?: string;
  /** The problems of a digest. */
  readonly items: readonly { readonly title: string; readonly url: string }[];
};

type About = { readonly id: string; readonly account: string; readonly publicUrl: string };

export function writeAlert(
  { id, account, publicUrl }: About,
  event: Exclude<AlertEvent, "digest">,
  problem: AlertProblem,
): AlertMessage {
  const title = titleOfProblem(problem);
  const { hookName, firstAt, lastAt, count, resolvedAt } = problem;
  const facts: (readonly [string, string])[] = [
    ...(hookName === null ? [] : [["Hook", hookName] as const]),
    ["Since", showTime(firstAt)],
    ["Last", showTime(lastAt)],
    ["Count", count.toLocaleString("en-US")],
    ...(resolvedAt === null ? [] : [["Over", showTime(resolvedAt)] as const]),
  ];
  return {
    id,
    event,
    tone: toneOf(event, problem),
    title: `${prefixes[event]}${title}`,
    text: textOf(event, problem),
    facts,
    account,
    url: `${publicUrl}/problems/${problem.id}`,
    problem,
    items: [],
  };
}

type Reader = Pick<About, "id"> & {
  readonly portalName: string;
  /** The page that ends the emails. */
  readonly endUrl: string;
};

/**
 * For the people of a recipient, whose own receiver it is: nothing of the account. Null: there is
 * nothing to tell, because someone closed the problem while it went on.
 */
export function writeRecipientAlert(
  { id, portalName, endUrl }: Reader,
  event: Exclude<AlertEvent, "digest">,
  problem: AlertProblem,
): AlertMessage | null {
  if (event === "resolved" && problem.resolution !== "recovered") return null;
  const about = { id, account: portalName, publicUrl: "" };
  const theirs = { ...problem, recipient: null, hookName: null, resolvedBy: null };
  return {
    ...writeAlert(about, event, theirs),
    title: `${prefixes[event]}${titleOfProblem(theirs, nameReceiver)}`,
    url: endUrl,
    link: "Stop these emails",
    footnote: `${portalName} sends this because someone confirmed that this mailbox wants it.`,
  };
}

function toneOf(event: AlertEvent, { kind }: AlertProblem): AlertMessage["tone"] {
  // An outage is told once it is over.
  if (event === "resolved" || kind === "database") return "over";
  return event === "acknowledged" ? "note" : "wrong";
}

/** One message about everything that was held. */
export function writeDigest(
  { id, account, publicUrl }: About,
  problems: readonly AlertProblem[],
): AlertMessage {
  const open = problems.filter(({ state }) => state !== "resolved").length;
  const shown = problems.slice(0, maxItems).map((problem) => ({
    title: toItem(problem),
    url: `${publicUrl}/problems/${problem.id}`,
  }));
  const left = problems.length - shown.length;
  const over = problems.length === 1 ? "over" : "all over";
  const rest = open === 0 ? over : `${open} still open`;
  return {
    id,
    event: "digest",
    tone: open === 0 ? "over" : "wrong",
    title: `${problems.length} ${problems.length === 1 ? "problem" : "problems"}, ${rest}`,
    text: left > 0 ? `And ${left} more.` : null,
    facts: [],
    account,
    url: `${publicUrl}/problems`,
    problem: null,
    items: shown,
  };
}

function toItem(problem: AlertProblem): string {
  const times = `${problem.count.toLocaleString("en-US")}×`;
  return `${problem.state === "resolved" ? "Over: " : ""}${titleOfProblem(problem)} (${times})`;
}

export function writeTest({ id, account, publicUrl }: About): AlertMessage {
  return {
    id,
    event: "test",
    tone: "note",
    title: "This is a test",
    text: "Alerts of Catchment will look like this.",
    facts: [],
    account,
    url: `${publicUrl}/account/alerts`,
    problem: null,
    items: [],
  };
}

const maxItems = 20;

const prefixes = {
  opened: "",
  acknowledged: "Acknowledged: ",
  reminder: "Still open: ",
  resolved: "Over: ",
} as const;

function textOf(event: AlertEvent, problem: AlertProblem): string | null {
  const { details, resolution, resolvedBy, acknowledgedBy } = problem;
  if (event === "resolved" && resolution !== null)
    return describeResolution(resolution, resolvedBy);
  if (event === "acknowledged") return `${acknowledgedBy ?? "Someone"} looks after it.`;
  return messageOfProblem(details);
}

/** `2026-11-24 02:50 UTC`: channels don't know the reader's time zone. */
function showTime(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
