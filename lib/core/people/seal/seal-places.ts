/**
 * The place where each secret is stored. A secret that was moved to another row or column can't be
 * opened.
 */
import type { SealPlace } from "./sealer.ts";

type Row = { readonly id: string; readonly accountId: string };

export function hookSecretPlace({ id, accountId }: Row): SealPlace {
  return { accountId, table: "hook_secrets", rowId: id, field: "ciphertext" };
}

/** The credentials among the headers of a pending delivery. */
export function deliveryHeadersPlace({ id, accountId }: Row): SealPlace {
  return { accountId, table: "deliveries", rowId: id, field: "headers" };
}

export function credentialPlace({ id, accountId }: Row): SealPlace {
  return { accountId, table: "credentials", rowId: id, field: "ciphertext" };
}

/** The credentials of an action's calls. */
export function actionAuthPlace({ id, accountId }: Row): SealPlace {
  return { accountId, table: "actions", rowId: id, field: "auth_ciphertext" };
}

/** The fields of an editor, of an action or of a hook's new one, as one person has typed them. */
export function actionDraftPlace(
  accountId: string,
  { userId, targetId }: { readonly userId: string; readonly targetId: string },
): SealPlace {
  return { accountId, table: "action_drafts", rowId: `${userId} ${targetId}`, field: "content" };
}

export function subscriptionSecretPlace({ id, accountId }: Row): SealPlace {
  return { accountId, table: "subscription_secrets", rowId: id, field: "ciphertext" };
}

/** The additional headers of a subscription. */
export function subscriptionHeadersPlace({ id, accountId }: Row): SealPlace {
  return { accountId, table: "subscriptions", rowId: id, field: "headers_ciphertext" };
}

/** The key of an account's audit log. */
export function auditKeyPlace(accountId: string, keyId: string): SealPlace {
  return { accountId, table: "audit_chains", rowId: keyId, field: "key_ciphertext" };
}

/** The secret that signs an account's audit log. */
export function auditReceiverPlace(accountId: string): SealPlace {
  return { accountId, table: "audit_receivers", rowId: accountId, field: "ciphertext" };
}

/** The URL and the keys of an alert channel. */
export function alertChannelPlace({ id, accountId }: Row): SealPlace {
  return { accountId, table: "alert_channels", rowId: id, field: "ciphertext" };
}

/** The values of a person who is forgotten, while the job runs. */
export function erasureValuesPlace({ id, accountId }: Row): SealPlace {
  return { accountId, table: "erasures", rowId: id, field: "ciphertext" };
}

/** The key of an account's rules, which know the values of people who were forgotten by their hashes. */
export function erasureRuleKeyPlace(accountId: string): SealPlace {
  return { accountId, table: "erasure_watches", rowId: accountId, field: "key_ciphertext" };
}

/** The secret of an authenticator app. A person has one in all of their accounts. */
export function totpSecretPlace(userId: string): SealPlace {
  return { accountId: "", table: "totp_secrets", rowId: userId, field: "ciphertext" };
}

/** The first response to a change with an `Idempotency-Key`. */
export function idempotentResponsePlace(accountId: string, key: string): SealPlace {
  return { accountId, table: "idempotency_keys", rowId: key, field: "body" };
}

/** The checksum of a plan for a configuration, in its id. It is in no table. */
export function configurationPlanPlace(accountId: string): SealPlace {
  return { accountId, table: "configuration_plans", rowId: accountId, field: "checksum" };
}

/** A hook in the spool's folder. It is in no table. */
export function keptHookPlace(name: string): SealPlace {
  return { accountId: "", table: "spool", rowId: name, field: "hook" };
}

/** The checksum of an archive's manifest, in that manifest. It is in no table. */
export function archiveManifestPlace(archiveId: string): SealPlace {
  return { accountId: "", table: "archive", rowId: archiveId, field: "manifest" };
}

/** The list of the files that an earlier version has left in the spool's folder. It is in no table. */
export function spoolUpgradePlace(): SealPlace {
  return { accountId: "", table: "spool", rowId: "signed-since", field: "files" };
}
