/** Calls that the dashboard makes by another service than the API, with its name. */
export const dashboardServices: Readonly<Record<string, string>> = {
  backtestNewAction: "backtestDraft",
  createAction: "saveDraft",
  explainDelivery: "getDeliveryWithHook",
  exportEventTypes: "listEventTypeRows",
  exportRecipients: "listRecipientRows",
  getAlertChannel: "listChannels",
  getAlertRule: "listRules",
  getBacktest: "showBacktest",
  getDelivery: "getDeliveryWithHook",
  getErasure: "listErasures",
  getEvent: "readEventSends",
  getInvitation: "listMembers",
  getMember: "listMembers",
  getRegistration: "readRegistrar",
  getSavedView: "listSavedViews",
  listBacktestResults: "listGroupResults",
  listBulkJobs: "listCurrentJobs",
  listEventTypes: "listEventTypeRows",
  listHooks: "listHookTotals",
  listInvitations: "listMembers",
  listRecipients: "listRecipientRows",
  pauseHook: "changeHookStatus",
  previewAction: "previewDraftStep",
  publishEvent: "publishEvent",
  replayDeliveries: "startReplay",
  resumeHook: "changeHookStatus",
  revokePortalLinks: "revokePortalLink",
  testHook: "sendTestDelivery",
};

/** Commands of `catchment`, by the call that they make. */
export const commandsOfCalls: Readonly<Record<string, readonly string[]>> = {
  listAccounts: ["whoami", "doctor"],
  listHooks: ["hooks"],
  getHook: ["actions get"],
  testHook: ["trigger"],
  listActions: ["actions"],
  getAction: ["actions get"],
  updateAction: ["actions enable", "actions disable"],
  listDeliveries: ["deliveries", "tail"],
  getDelivery: ["why"],
  explainDelivery: ["why"],
  replayDelivery: ["replay"],
  publishEvent: ["events publish"],
  openListener: ["listen"],
  getListener: ["listen"],
  streamDeliveries: ["listen"],
  pollDeliveries: ["listen"],
  acknowledgeDeliveries: ["listen"],
  handOverDeliveries: ["listen"],
  disconnectListener: ["listen"],
  listUsage: ["usage"],
  findGap: ["gaps search"],
  getGap: ["gaps", "gaps search"],
  listGaps: ["gaps"],
  listCredentials: ["gaps search"],
  takeInGap: ["gaps take-in"],
  getConfiguration: ["config export", "config promote"],
  planConfiguration: ["config plan", "config apply", "config promote"],
  applyConfiguration: ["config apply", "config promote"],
};

/** Commands of `catchment` that make no call of the API. */
export const localCommands: Readonly<Record<string, string>> = {
  login: "signs in by OAuth",
  logout: "revokes its token by OAuth",
  profiles: "lists the sign-ins of the machine",
  completion: "prints a script",
};

/** Tools for assistants, by the call whose service they use. */
export const toolsOfCalls: Readonly<Record<string, readonly string[]>> = {
  getAccount: ["whoami"],
  listHooks: ["list_hooks"],
  getHook: ["get_hook"],
  listActions: ["get_hook"],
  getAction: ["get_action"],
  previewAction: ["preview_mapping"],
  backtestAction: ["backtest_mapping"],
  backtestNewAction: ["backtest_mapping"],
  getBacktest: ["backtest_mapping"],
  listDeliveries: ["search_deliveries", "wait_for_event"],
  getDelivery: ["get_delivery"],
  explainDelivery: ["why"],
  diagnoseDelivery: ["why"],
  replayDelivery: ["replay"],
  listRuns: ["replay"],
  getRun: ["get_delivery", "why"],
  retryRuns: ["replay"],
  listProblems: ["list_problems"],
  publishEvent: ["publish_event"],
  getEvent: ["wait_for_event"],
};

/** Calls whose tools use another service than the API, with its name. */
export const toolServices: Readonly<Record<string, string>> = {
  previewAction: "previewMapping",
  publishEvent: "publishEvent",
};

/** Tools without a call of the API. */
export const localTools: Readonly<Record<string, string>> = {
  propose_mapping: "leaves a draft in a person's editor",
  search_docs: "finds sections of this documentation",
};

export type Reason = { readonly text: string; readonly names: readonly string[] };
/** Its letter stands in the table. */
type ReasonOfCalls = Reason & { readonly letter: string };

export const list = (...lines: readonly string[]) => lines.flatMap((line) => line.split(" "));

/** Why calls aren't in the dashboard. */
export const notInDashboard: readonly ReasonOfCalls[] = [
  {
    letter: "a",
    text: "It is a step of `listen`, which a program does. The dashboard shows who listens.",
    names: list(
      "acknowledgeDeliveries getListener handOverDeliveries openListener pollDeliveries streamDeliveries",
    ),
  },
  {
    letter: "b",
    text: "The form publishes one event, which a person has read. Batches are for programs.",
    names: list("publishEvents"),
  },
  {
    letter: "c",
    text: "It is a list that ships with the product, and the form of a new hook shows all of it.",
    names: list("listProviders"),
  },
  {
    letter: "d",
    text: "The editor shows the backtest that it began. Programs find earlier ones.",
    names: list("listBacktests"),
  },
  {
    letter: "p",
    text: "Files are kept, reviewed, and applied with the rest of your code.",
    names: list("applyConfiguration getConfiguration planConfiguration"),
  },
];

/** Why calls aren't commands of `catchment`. */
export const notInCommandLine: readonly ReasonOfCalls[] = [
  {
    letter: "e",
    text:
      "It sets something up. The dashboard explains each field and shows what it would do. What should " +
      "live in files is exported and imported as a whole.",
    names: list(
      "createAction createAlertChannel createAlertRule createCredential createDestination createHook",
      "createPortalLink createSubscription deleteAction deleteAlertChannel deleteAlertRule deleteCredential",
      "deleteDestination deleteEventType deleteHook deleteRecipient deleteSubscription disableSubscription",
      "duplicateAction enableSubscription endPreviousCatchUrls exportAction getActionVersion getAlertChannel",
      "getAlertRule getCredential getDestination getEventType getRecipient getSending getSubscription importAction",
      "importEventTypes listActionVersions listAlertChannels listAlertRules listDestinations",
      "listEventTypes listPortalLinks listProviders listRecipients listSubscriptions pauseHook previewAction",
      "getRegistration registerHook removeRegistration",
      "checkEventTypeVersion checkTransform createEventTypeVersion listEventTypeVersions updateEventTypeVersion",
      "putEventType putRecipient readHandshakeSecret restoreActionVersion resumeHook revokePortalLinks",
      "releaseConfiguration rotateCatchUrl rotateHookSecret rotateSubscriptionSecret testAlertChannel",
      "updateAlertChannel updateAlertRule updateCredential updateDestination updateHook updateSending",
      "updateSubscription",
    ),
  },
  {
    letter: "f",
    text:
      "It is about people, rights, or the account itself. The dashboard asks for a confirmation by the " +
      "signed-in person.",
    names: list(
      "cancelErasure changeMemberRole createAccount createErasure deleteAccount deleteAuditReceiver",
      "deleteErasureRule getAccount getAuditReceiver getErasure getInvitation getMaskedFields getMember inviteMember",
      "listAuditEntries listErasureRules listErasures listInvitations listMembers putAuditReceiver",
      "putMaskedFields removeMember renameAccount resendInvitation revokeInvitation rotateAuditReceiverSecret",
      "transferAccount",
    ),
  },
  {
    letter: "g",
    text:
      "It changes many rows at once, or can't be undone. The dashboard shows first what it would do, " +
      "and so does the API's `trial`.",
    names: list(
      "acceptDeliveries acceptDelivery cancelBulkJob cancelRun cancelRuns closeActionBreaker countDuplicates",
      "deleteDelivery deleteListener getBulkJob listBulkJobs muteFailures pauseBulkJob recoverSubscription",
      "replayDeliveries replayMissing resendEvent resolveStep resumeBulkJob retryRun retryRuns unmuteFailures",
      "cancelGap getGapSchedule putGapSchedule verifyPending",
    ),
  },
  {
    letter: "h",
    text: "It is read in context, with charts and links: open the page that `listen` (`o`) leads to.",
    names: list(
      "listResponses",
      "acknowledgeProblem backtestAction backtestNewAction cancelBacktest createSavedView deleteSavedView",
      "diagnoseDelivery getBacktest getEvent getProblem getRun getSavedView listBacktestResults listBacktests",
      "listEvents listFailures listListeners listProblemAlerts listProblems listRuns listSavedViews resolveProblem",
      "sendTestEvent setDefaultView updateProblem updateSavedView",
    ),
  },
  {
    letter: "i",
    text: "It returns or takes whole lists: one line of curl with the same token.",
    names: list(
      "exportAuditEntries exportDeliveries exportEventTypes exportEvents exportRecipients exportRuns",
      "exportSubscriptions exportUsage publishEvents",
    ),
  },
];

/** Why calls aren't tools for assistants. */
export const notInMcp: readonly ReasonOfCalls[] = [
  {
    letter: "j",
    text:
      "An assistant reads, tries, and proposes. A person saves: `propose_mapping` leaves a draft in " +
      "their editor.",
    names: list(
      "acknowledgeProblem cancelBacktest createAction createAlertChannel createAlertRule createDestination",
      "createHook createSavedView createSubscription deleteAction deleteAlertChannel deleteAlertRule",
      "deleteDestination deleteEventType deleteHook deleteRecipient deleteSavedView deleteSubscription",
      "disableSubscription duplicateAction enableSubscription endPreviousCatchUrls exportAction importAction",
      "getRegistration registerHook removeRegistration",
      "checkEventTypeVersion checkTransform createEventTypeVersion listEventTypeVersions updateEventTypeVersion",
      "importEventTypes pauseHook putEventType putRecipient resolveProblem restoreActionVersion resumeHook",
      "rotateCatchUrl sendTestEvent setDefaultView testAlertChannel testHook updateAction updateAlertChannel",
      "updateAlertRule updateDestination updateHook updateProblem updateSavedView updateSubscription",
    ),
  },
  {
    letter: "k",
    text:
      "It shows or changes secrets, people, rights, or the account, which a text in a payload must " +
      "never lead to.",
    names: list(
      "applyConfiguration getConfiguration planConfiguration releaseConfiguration",
      "cancelErasure changeMemberRole createAccount createCredential createErasure createPortalLink deleteAccount",
      "deleteAuditReceiver deleteCredential deleteErasureRule getAuditReceiver getCredential getErasure",
      "getInvitation getMaskedFields getMember getSending inviteMember listAccounts listAuditEntries",
      "listCredentials listErasureRules listErasures listInvitations listMembers listPortalLinks",
      "putAuditReceiver putMaskedFields readHandshakeSecret removeMember renameAccount resendInvitation",
      "revokeInvitation revokePortalLinks rotateAuditReceiverSecret rotateHookSecret rotateSubscriptionSecret",
      "transferAccount updateCredential updateSending",
    ),
  },
  {
    letter: "l",
    text:
      "Tools return what these calls are asked for in between, and few tools are found more easily " +
      "than many.",
    names: list(
      "listResponses",
      "getActionVersion getAlertChannel getAlertRule getDestination getEventType getProblem getRecipient",
      "getSavedView getSubscription listActionVersions listAlertChannels listAlertRules listBacktestResults",
      "listBacktests listDestinations listEventTypes listEvents listFailures listProblemAlerts listProviders",
      "listRecipients listSavedViews listSubscriptions listUsage",
    ),
  },
  {
    letter: "m",
    text:
      "It changes many rows at once, or can't be undone. `replay` shows first what it would do, and " +
      "asks.",
    names: list(
      "acceptDeliveries acceptDelivery cancelBulkJob cancelRun cancelRuns closeActionBreaker countDuplicates",
      "deleteDelivery getBulkJob listBulkJobs muteFailures pauseBulkJob recoverSubscription replayDeliveries",
      "replayMissing resendEvent resolveStep resumeBulkJob retryRun unmuteFailures verifyPending",
      "cancelGap findGap getGap getGapSchedule listGaps putGapSchedule takeInGap",
    ),
  },
  {
    letter: "n",
    text: "It returns or takes whole lists, and a result has at most 48 KiB.",
    names: list(
      "exportAuditEntries exportDeliveries exportEventTypes exportEvents exportRecipients exportRuns",
      "exportSubscriptions exportUsage publishEvents",
    ),
  },
  {
    letter: "o",
    text: "It is for programs that stay. An assistant waits with `wait_for_event`.",
    names: list(
      "acknowledgeDeliveries deleteListener disconnectListener getListener handOverDeliveries listListeners",
      "openListener pollDeliveries streamDeliveries",
    ),
  },
];
