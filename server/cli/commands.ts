import type { Command } from "./frame/command.ts";

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  {
    name: "audit verify",
    operands: [],
    summary: "find entries of audit logs that were changed, removed, or moved",
    details:
      "Verifies the audit logs of all accounts with the secret key, and prints the head of each. Exits\n" +
      "with 1 if it found a change. It changes nothing itself.",
    options: {
      head: { value: "HEAD", summary: "also require this head, from the log or an earlier call" },
    },
    load: async () => (await import("./audit/run-audit-verify.ts")).runAuditVerify,
  },
  {
    name: "doctor",
    operands: [],
    summary: "check the configuration, database, disk, clock, public URL, proxies, and mail server",
    details:
      "Checks this installation and says what to change. It changes nothing itself. Exits with 1 if it\n" +
      "found an error.",
    options: {
      json: { summary: "print the findings as JSON" },
      reach: { value: "URL", summary: "also call this URL, as an action would" },
    },
    load: async () => (await import("./doctor/run-doctor.ts")).runDoctor,
  },
  {
    name: "spool list",
    operands: [],
    summary: "list deliveries of the spool that couldn't be stored",
    details:
      "Lists the items set aside: rejected by PostgreSQL, or damaged. It changes\n" +
      "nothing itself. Exits with 1 if there is anything.",
    options: {
      unsigned: { summary: "also read deliveries without a signature, no matter who wrote them" },
      json: { summary: "print the list as JSON" },
    },
    load: async () => (await import("./spool/run-spool-list.ts")).runSpoolList,
  },
  {
    name: "spool retry",
    operands: [],
    summary: "store what the spool has set aside, once the reason is gone",
    details:
      "Stores every delivery that was set aside, even while Catchment runs. What PostgreSQL still\n" +
      "refuses stays set aside. Exits with 1 if anything does.",
    options: {
      unsigned: { summary: "also store deliveries without a signature, no matter who wrote them" },
    },
    load: async () => (await import("./spool/run-spool-retry.ts")).runSpoolRetry,
  },
  {
    name: "spool set-aside",
    operands: ["DELIVERY"],
    summary: "set aside a delivery that holds up the spool, so that the others are stored",
    details:
      "Sets aside the delivery that spool.held_up in the log names, once this machine has tried to store\n" +
      "it again and failed. Nothing is lost: spool retry stores it later.",
    options: {},
    load: async () => (await import("./spool/run-spool-set-aside.ts")).runSpoolSetAside,
  },
  {
    name: "backup",
    operands: ["FILE"],
    summary: "write everything in the database to a new file, even while Catchment runs",
    details:
      "Writes a consistent copy of the database to a new file, even while Catchment runs. The secret\n" +
      "key is only in it if you give a passphrase. Check a backup with: restore FILE --check",
    options: {
      "key-passphrase-file": {
        value: "PATH",
        summary: "include the secret key, encrypted with the first line of this file",
      },
      json: { summary: "print what was written as JSON" },
    },
    load: async () => (await import("./backup/run-backup.ts")).runBackup,
  },
  {
    name: "restore",
    operands: ["FILE"],
    summary: "restore a backup into an empty data folder or database",
    details:
      "Restores a backup into an empty data folder (CATCHMENT_DATA_DIR) or database (DATABASE_URL), all\n" +
      "of it or nothing. Runs that were open are canceled, since they may have run after the backup.",
    options: {
      check: { summary: "only check that the backup is whole, without a database" },
      "continue-runs": { summary: "run the backup's open runs" },
      "key-passphrase-file": {
        value: "PATH",
        summary: "take the secret key from the backup: its passphrase is the first line",
      },
      json: { summary: "print what was restored as JSON" },
    },
    load: async () => (await import("./backup/run-restore.ts")).runRestore,
  },
  {
    name: "archive list",
    operands: [],
    summary: "list the weeks that were archived before they were dropped",
    options: { json: { summary: "print them as JSON" } },
    load: async () => (await import("./archive/run-archive-list.ts")).runArchiveList,
  },
  {
    name: "archive verify",
    operands: ["WEEK"],
    summary: "check that an archived week is whole and as it was written",
    details:
      "Reads every byte of an archived week. WEEK is any day of it, such as 2026-08-24. Exits with 1 if\n" +
      "something is missing or changed.",
    options: {
      unsigned: { summary: "trust a manifest without a signature" },
      json: { summary: "print what is in it as JSON" },
    },
    load: async () => (await import("./archive/run-archive-verify.ts")).runArchiveVerify,
  },
  {
    name: "archive restore",
    operands: ["WEEK"],
    summary: "put an archived week back for some days, even while Catchment runs",
    details:
      "Puts the rows of an archived week back. Rows that exist are kept, so it may be repeated. Nothing\n" +
      "of it is run again: runs that were open are canceled.",
    options: {
      days: { value: "DAYS", summary: "how long it stays, 30 days unless you say otherwise" },
      unsigned: { summary: "trust a manifest without a signature" },
      json: { summary: "print what was restored as JSON" },
    },
    load: async () => (await import("./archive/run-archive-restore.ts")).runArchiveRestore,
  },
  {
    name: "clock accept",
    operands: [],
    summary: "say that the clock is right, after it was ahead for more than a week",
    details:
      "Deliveries are rejected while the clock shows a time long before one that it has shown. If it\n" +
      "was ahead then, and is right now, this lets them be caught again.",
    options: {},
    load: async () => (await import("./clock-accept.ts")).runClockAccept,
  },
  {
    name: "export",
    operands: ["FILE"],
    summary: "write an account's configuration to a new file that can be read and imported",
    details:
      "Writes hooks, actions, credentials, destinations, event types, recipients, subscriptions, and\n" +
      "alerts to a JSON file. Their secrets and catch URLs are only in it if you give a passphrase.",
    options: {
      account: { value: "SLUG", summary: "the account, if there are several" },
      "secrets-passphrase-file": {
        value: "PATH",
        summary: "include secrets, encrypted with the first line of this file",
      },
    },
    load: async () => (await import("./configuration/run-export.ts")).runExport,
  },
  {
    name: "import",
    operands: ["FILE"],
    summary: "show what a configuration would change in an account, or import it",
    details:
      "Shows what the file would add and change. With --apply, imports it: all of it or nothing. What\n" +
      "the account has by the same name is changed, and nothing is deleted.",
    options: {
      apply: { summary: "import it" },
      account: { value: "SLUG", summary: "the account, if there are several" },
      "secrets-passphrase-file": {
        value: "PATH",
        summary: "the first line of this file opens the secrets",
      },
      "keep-catch-urls": { summary: "new hooks keep the last part of their catch URLs" },
      json: { summary: "print what is added, changed, and left as JSON" },
    },
    load: async () => (await import("./configuration/run-import.ts")).runImport,
  },
  {
    name: "rotate-key",
    operands: [],
    summary: "replace the secret key and seal everything again, even while Catchment runs",
    details:
      "Replaces the secret key and seals everything again, even while Catchment runs. After an\n" +
      "interruption, the same command continues. Everyone has to sign in again. With DATABASE_URL, set\n" +
      "CATCHMENT_PREVIOUS_SECRET_KEY to the present key and CATCHMENT_SECRET_KEY to a new one first.",
    options: { json: { summary: "print what was done as JSON" } },
    load: async () => (await import("./rotate-key/run-rotate-key.ts")).runRotateKey,
  },
  {
    name: "reset-password",
    operands: ["EMAIL"],
    summary: "give this user a new password, print it, and sign them out everywhere",
    options: {},
    load: async () => (await import("./reset-password.ts")).runResetPassword,
  },
  {
    name: "change-email",
    operands: ["EMAIL", "NEW"],
    summary: "give this user another email, and sign them out everywhere",
    details:
      "Gives a user another email without a message to it: you say that it is theirs. For servers that\n" +
      "send no email. Elsewhere, people change theirs in their profile.",
    options: {},
    load: async () => (await import("./change-email.ts")).runChangeEmail,
  },
  {
    name: "confirm-email",
    operands: ["EMAIL"],
    summary: "record that this email is the user's, so that single sign-on links them by it",
    details:
      "With CATCHMENT_OIDC_LINK_BY_EMAIL, single sign-on takes over only users whose email is confirmed:\n" +
      "by a message to it, by the provider, or by this command. doctor counts the others.",
    options: {},
    load: async () => (await import("./change-email.ts")).runConfirmEmail,
  },
];
