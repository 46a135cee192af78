import { findStep, listAllSteps, renameStep, unusedKey } from "./edit-steps.ts";
import { kindKeys, type StepDraft } from "./step-draft.ts";

type Steps = readonly StepDraft[];
type Work = StepDraft["work"];

/**
 * Names steps by what they do, once that is known: `post_contacts`. Those that were saved, or that a
 * person has named, keep their key. So does a single call, which isn't shown as a step.
 */
export function nameSteps(before: Steps, after: Steps): Steps {
  if (isSingle(after)) return after;
  return listAllSteps(after).reduce<Steps>((steps, { step }) => {
    const old = isSingle(before) ? undefined : findStep(before, step.id)?.step;
    if (step.formerKey !== null || old?.work === step.work) return steps;
    const wanted = describeWork(step.work);
    const usual = [kindKeys[step.work.kind], describeWork((old ?? step).work)];
    const base = step.key.replace(/_\d+$/, "");
    if (base === wanted || !usual.includes(base)) return steps;
    return renameStep(steps, step.id, unusedKey(wanted, steps));
  }, after);
}

function isSingle([step, ...others]: Steps): boolean {
  return others.length === 0 && (step === undefined || step.onFailure !== "steps");
}

/** A key that says what a step does. */
export function describeWork(work: Work): string {
  const usual = kindKeys[work.kind];
  if (work.kind === "publish") return toKey(usual, withoutTemplates(work.type)) ?? usual;
  if (work.kind !== "call") return usual;
  const { method, url } = work.request;
  const [, host = "", path = ""] =
    /^https?:\/\/([^/?#]*)([^?#]*)/i.exec(withoutTemplates(url)) ?? [];
  const what = findResource(path) ?? findName(host);
  return (what === null ? null : toKey(method.toLowerCase(), what)) ?? usual;
}

/** The last name in a path, such as `contacts`. Ids and secrets, and what follows them, aren't names. */
function findResource(path: string): string | null {
  const parts = path.split("/").filter((part) => part !== "" && !/^v\d/i.test(part));
  const end = parts.findIndex((part) => !/^[a-z][a-z_.-]{1,29}$/.test(part));
  const names = (end === -1 ? parts : parts.slice(0, end)).filter((part) => !generic.has(part));
  return names.at(-1) ?? null;
}

const generic: ReadonlySet<string> = new Set([
  ...["api", "rest", "rpc", "services", "service", "hooks", "hook", "webhooks", "webhook"],
]);

/** `slack` of `hooks.slack.com`. Null: it is an address. */
function findName(host: string): string | null {
  const labels = host.replace(/:\d*$/, "").toLowerCase().split(".");
  if (labels.length < 2 || !/^[a-z]+$/.test(labels.at(-1) ?? "")) return null;
  const isShared = labels.length > 2 && /^(?:com?|org|net|gov|ac)$/.test(labels.at(-2) ?? "");
  return labels.at(isShared ? -3 : -2) ?? null;
}

function toKey(verb: string, what: string): string | null {
  const words = what.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.length === 0 ? null : [verb, ...words].join("_").slice(0, 36).replace(/_+$/, "");
}

function withoutTemplates(text: string): string {
  return text.replace(/\{\{.*?\}\}|\{%.*?%\}/gs, "");
}
