import { stringifyExactJson } from "#lib/core/json/stringify-exact-json.ts";
import { type CommandResult, checkFields, refuse } from "#lib/schema/field/command-result.ts";
import { readSubscriptionDraft, type SubscriptionDraft } from "./subscription-draft.ts";

/** Sends JSON: the body of `POST /subscriptions` or `PATCH /subscriptions/{id}`. */
export type SubscriptionCommand<Value> = (json: string) => Promise<CommandResult<Value>>;

/** Runs the command with the draft as API input, unless a field can't be read. */
export async function sendSubscription<Value>(
  draft: SubscriptionDraft,
  before: SubscriptionDraft | null,
  command: SubscriptionCommand<Value>,
): Promise<CommandResult<Value>> {
  const read = readSubscriptionDraft(draft, before);
  if (!read.ok) return refuse(checkFields, read.errors);
  const written = stringifyExactJson(read.input);
  return written.ok ? await command(written.text) : refuse(written.message);
}
