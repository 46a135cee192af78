import type { AuditChange, AuditFacts } from "#lib/schema/account/audit.ts";
import { nameTargets } from "./audit-target.ts";

type Told = Pick<AuditFacts, "event" | "actorName" | "targets" | "changes">;

/** An entry as a sentence without a full stop: "ada@example.com changed the filter of action CRM". */
export function describeEntry(entry: Told): string {
  const { event, actorName, targets } = entry;
  const words = wordsOf(entry);
  // An event of another release.
  if (words === undefined) return `${actorName}: ${event}`;
  return `${actorName} ${words.replace("{}", () => nameTargets(targets))}`;
}

function wordsOf({ event, changes }: Told): string | undefined {
  const known = Object.hasOwn(eventWords, event) ? eventWords[event] : undefined;
  const changed = changes ?? [];
  return known === change ? describeChanges(changed) : known;
}

/** Says what changed, from the fields. */
const change = "changed {}";

/** Every event of the log. `{}` is its target. */
export const eventWords: Readonly<Record<string, string>> = {
  "account.created": "created {}",
  "account.deleted": "deleted {}",
  "account.notice_dismissed": "dismissed a notice for everyone in {}",
  "account.renamed": "renamed {}",
  "account.transferred": "transferred {}",
  "action.breaker.closed": "closed the circuit breaker of {}",
  "action.created": "created {}",
  "action.deleted": "deleted {}",
  "action.proposed": "left a draft for {}",
  "action.updated": change,
  "alert_channel.created": "created {}",
  "alert_channel.deleted": "deleted {}",
  "alert_channel.secrets_replaced": "replaced the secrets of {}",
  "alert_channel.tested": "sent a test to {}",
  "alert_channel.updated": change,
  "alert_rule.created": "created {}",
  "alert_rule.deleted": "deleted {}",
  "alert_rule.updated": change,
  "api_token.created": "created {}",
  "api_token.revoked": "revoked {}",
  "audit.chain.broken": "found that the audit log was changed outside of Catchment",
  "audit.exported": "exported the audit log",
  "audit.receiver.created": "started to send the audit log to {}",
  "audit.receiver.deleted": "stopped sending the audit log to {}",
  "audit.receiver.secret.rotated": "rotated the secret of {}",
  "audit.receiver.updated": "changed where the audit log is sent: {}",
  "backtest.cancelled": "canceled {}",
  "backtest.started": "started {}",
  "bulk_job.canceled": "canceled {}",
  "bulk_job.paused": "paused {}",
  "bulk_job.resumed": "resumed {}",
  "bulk_job.started": "started {}",
  "client_sign_in.allowed": "let {} in",
  "client_sign_in.denied": "denied the sign-in of {}",
  "configuration.exported": "exported the configuration",
  "configuration.exported.with_secrets": "exported the configuration with its secrets",
  "configuration.released": "took {} out of the hands of files",
  "configuration.imported": "imported a configuration",
  "credential.created": "created {}",
  "credential.deleted": "deleted {}",
  "credential.updated": change,
  "deliveries.exported": "exported deliveries",
  "delivery.accepted": "accepted {}",
  "delivery.deleted": "deleted {}",
  "delivery.replayed": "replayed {}",
  "destination.created": "created {}",
  "destination.deleted": "deleted {}",
  "destination.updated": change,
  "device_sign_in.allowed": "let a tool sign in: {}",
  "device_sign_in.denied": "denied a tool's sign-in: {}",
  "erasure.cancelled": "canceled {}",
  "erasure.finished": "has forgotten a person: {}",
  "erasure.started": "started to forget a person: {}",
  "erasure_rule.created": "keeps rules for later arrivals of a person: {}",
  "erasure_rule.deleted": "removed a rule for later arrivals: {}",
  "event.published": "published {}",
  "event.resent": "resent {}",
  "event_type.deleted": "deleted {}",
  "event_type.saved": "saved {}",
  "event_type.version_published": "published a version of {}",
  "event_type.version_changed": "changed a version of {}",
  "event_types.exported": "exported event types",
  "events.exported": "exported events",
  "failures.muted": "muted failures of {}",
  "failures.unmuted": "unmuted failures of {}",
  "gap.canceled": "canceled {}",
  "gap.scheduled": "changed the schedule for missing events of {}",
  "gap.searched": "started {}",
  "hook.actions.ordered": "changed the order of actions of {}",
  "hook.active": "turned on {}",
  "hook.catch_url.ended": "expired previous URLs of {}",
  "hook.catch_url.rotated": "rotated the catch URL of {}",
  "hook.created": "created {}",
  "hook.deleted": "deleted {}",
  "hook.disabled": "turned off {}",
  "hook.duplicates.accepted": "accepted duplicates of {}",
  "hook.paused": "paused {}",
  "hook.pending.verified": "verified pending deliveries of {}",
  "hook.secret.ended": "expired a secret of {}",
  "hook.secret.extended": "extended a secret of {}",
  "hook.secret.read": "read a secret of {}",
  "hook.secret.rotated": "rotated the secret of {}",
  "hook.updated": change,
  "installation.backed_up": "backed up the installation",
  "installation.clock_accepted": "accepted the clock of the installation",
  "installation.restored": "restored the installation from a backup",
  "installation.secret_key.rotated": "rotated the secret key of the installation",
  "installation.week_restored": "restored an archived week",
  "invitation.created": "invited {}",
  "invitation.resent": "invited {} again",
  "invitation.revoked": "revoked {}",
  "listener.connected": "connected {}",
  "listener.deleted": "deleted {}",
  "listener.disconnected": "disconnected {}",
  "masked_fields.changed": "changed the masked fields",
  "member.added": "added {}",
  "member.joined": "joined: {}",
  "member.left": "left the account",
  "member.removed": "removed {}",
  "member.role.changed": "changed the role of {}",
  "member.role_changed": "changed the role of {}",
  "notice.dismissed": "dismissed {}",
  "portal_link.all_revoked": "revoked all portal links of {}",
  "portal_link.created": "created a portal link for {}",
  "portal_link.revoked": "revoked a portal link of {}",
  "problem.acknowledged": "acknowledged {}",
  "problem.resolved": "resolved {}",
  "problem.updated": change,
  "recipient.deleted": "deleted {}",
  "recipient.saved": "saved {}",
  "recipient_email.added": "sent a link for emails about failures: {}",
  "recipient_email.confirmed": "confirmed emails about failures: {}",
  "recipient_email.removed": "ended emails about failures: {}",
  "recipients.exported": "exported recipients",
  "registration.changed": "changed what is registered for {}",
  "registration.connected": "registered {} at its provider",
  "registration.forgotten": "stopped keeping {} registered",
  "registration.removed": "removed the webhook of {} at its provider",
  "run.canceled": "canceled {}",
  "run.retried": "retried {}",
  "run.step.resolved": "resolved a step of {}",
  "runs.exported": "exported runs",
  "saved_view.created": "saved {}",
  "saved_view.deleted": "deleted {}",
  "saved_view.restored": "brought back {}",
  "saved_view.updated": change,
  "sender_settings.saved": "changed the settings for sending",
  "session.all_ended": "signed out everywhere",
  "session.ended": "ended {}",
  "subscription.checked": "checked the receiver of {}",
  "subscription.created": "created {}",
  "subscription.deleted": "deleted {}",
  "subscription.disabled": "disabled {}",
  "subscription.enabled": "enabled {}",
  "subscription.secret.rotated": "rotated the secret of {}",
  "subscription.tested": "sent a test event to {}",
  "subscription.updated": change,
  "subscriptions.exported": "exported subscriptions",
  "user.email.canceled": "canceled a change of email of {}",
  "user.email.changed": "changed the email of {}",
  "user.email.confirmed": "confirmed the email of {}",
  "user.email.requested": "asked to change the email of {}",
  "user.linked": "linked {} with the identity provider",
  "user.passkey.added": "added a passkey",
  "user.passkey.removed": "removed a passkey",
  "user.passkey.renamed": "renamed a passkey",
  "user.password.changed": "changed their password",
  "user.password.reset": "reset the password of {}",
  "user.recovery_codes.renewed": "made new recovery codes",
  "user.second_factor.failed": "entered a wrong code",
  "user.sign_in.failed": "entered a wrong password",
  "user.sign_in.rejected": "was not allowed to sign in",
  "user.signed_in": "signed in",
  "user.two_factor.disabled": "turned off two-factor authentication of {}",
  "user.two_factor.enabled": "turned on two-factor authentication",
  "user.updated": "changed their profile",
};

/** "changed the filter and the retries of {}", "renamed {}", "turned on {}". */
function describeChanges(changes: readonly AuditChange[]): string {
  const fields = [...new Set(changes.map(({ path }) => fieldOf(path)))];
  const [only] = fields.length === 1 ? changes : [];
  if (only?.path === "name") return "renamed {}";
  if (only?.path === "enabled") return only.after === true ? "turned on {}" : "turned off {}";
  if (fields.length === 0) return "saved {}";
  if (fields.length > maxFields) return `changed ${fields.length} settings of {}`;
  return `changed the ${fields.join(" and the ")} of {}`;
}

const maxFields = 2;

const fieldNames: Readonly<Record<string, string>> = {
  auth: "credentials",
  bodyText: "body",
  dedupe: "de-duplication",
  retry: "retries",
  url: "URL",
};

/** The setting that a path is in: `toleranceSeconds` is the tolerance. */
function fieldOf(path: string): string {
  const [first = "", second] = path.split(".");
  const field = first === "request" && second !== undefined ? second : first;
  const name = fieldNames[field];
  if (name !== undefined) return name;
  const words = field.replace(/(Seconds|Ms|Id)$/, "").replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, " ");
  return words.toLowerCase().replace(/\burl\b/, "URL");
}
