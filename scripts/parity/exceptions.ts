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
  getBulkJob: "listCurrentJobs",
  getDelivery: "getDeliveryWithHook",
  getEvent: "readEventSends",
  getInvitation: "listMembers",
  getMember: "listMembers",
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
};

/** Commands of `catchment` that make no call of the API. */
export const localCommands: Readonly<Record<string, string>> = {
  login: "signs in by OAuth",
  logout: "revokes its token by OAuth",
  profiles: "lists the sign-ins of the machine",
  completion: "prints a script",
};

type Reason = { readonly text: string; readonly names: readonly string[] };
/** Its letter stands in the table. */
type ReasonOfCalls = Reason & { readonly letter: string };

const list = (...lines: readonly string[]) => lines.flatMap((line) => line.split(" "));

/** Why calls aren't in the dashboard. */
export const notInDashboard: readonly ReasonOfCalls[] = [
  {
    letter: "a",
    text: "It is a step of `listen`, which a program does. The dashboard shows who listens.",
    names: list(
      "acknowledgeDeliveries getListener handOverDeliveries openListener pollDeliveries",
      "streamDeliveries",
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
      "createPortalLink createSubscription deleteAction deleteAlertChannel deleteAlertRule",
      "deleteCredential deleteDestination deleteEventType deleteHook deleteRecipient",
      "deleteSubscription disableSubscription duplicateAction enableSubscription endPreviousCatchUrls",
      "exportAction getActionVersion getAlertChannel getAlertRule getCredential getDestination",
      "getEventType getRecipient getSending getSubscription importAction importEventTypes",
      "listActionVersions listAlertChannels listAlertRules listCredentials listDestinations",
      "listEventTypes listPortalLinks listProviders listRecipients listSubscriptions pauseHook",
      "previewAction putEventType putRecipient readHandshakeSecret restoreActionVersion resumeHook",
      "revokePortalLinks rotateCatchUrl rotateHookSecret rotateSubscriptionSecret testAlertChannel",
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
      "changeMemberRole createAccount deleteAccount deleteAuditReceiver getAccount getAuditReceiver",
      "getInvitation getMaskedFields getMember inviteMember listAuditEntries listInvitations",
      "listMembers putAuditReceiver putMaskedFields removeMember renameAccount resendInvitation",
      "revokeInvitation rotateAuditReceiverSecret transferAccount",
    ),
  },
  {
    letter: "g",
    text:
      "It changes many rows at once, or can't be undone. The dashboard shows first what it would do, " +
      "and so does the API's `trial`.",
    names: list(
      "acceptDeliveries acceptDelivery cancelBulkJob cancelRun cancelRuns closeActionBreaker",
      "countDuplicates deleteDelivery deleteListener getBulkJob listBulkJobs muteFailures pauseBulkJob",
      "recoverSubscription replayDeliveries replayMissing resendEvent resolveStep resumeBulkJob",
      "retryRun retryRuns unmuteFailures verifyPending",
    ),
  },
  {
    letter: "h",
    text: "It is read in context, with charts and links: open the page that `listen` (`o`) leads to.",
    names: list(
      "acknowledgeProblem backtestAction backtestNewAction cancelBacktest createSavedView",
      "deleteSavedView diagnoseDelivery getBacktest getEvent getProblem getRun getSavedView",
      "listBacktestResults listBacktests listEvents listFailures listListeners listProblemAlerts",
      "listProblems listRuns listSavedViews resolveProblem sendTestEvent setDefaultView updateProblem",
      "updateSavedView",
    ),
  },
  {
    letter: "i",
    text: "It returns or takes whole lists: one line of curl with the same token.",
    names: list(
      "exportAuditEntries exportDeliveries exportEventTypes exportEvents exportRecipients exportRuns",
      "exportSubscriptions publishEvents",
    ),
  },
];

/** Services of the dashboard's commands that no call of the API has. */
export const onlyInDashboard: readonly Reason[] = [
  {
    text:
      "The person's own sign-in: password, passkeys, two-factor, email, sessions, profile, notices. A " +
      "program has a token instead, which must not change them.",
    names: list(
      "addPasskey allowDeviceSignIn cancelEmailChange changePassword confirmEmail confirmTwoFactor",
      "denyDeviceSignIn dismissAccountNotice dismissNotice endAllSessions endSession leaveAccount",
      "readDeviceSignIn removePasskey renamePasskey renewRecoveryCodes saveProfile seeProblems",
      "sendEmailLink startPasskey startTwoFactor switchAccount testSingleSignOn turnOffTwoFactor",
    ),
  },
  {
    text: "Tokens: one that made others would outlive its own end.",
    names: list("createApiToken createPublishToken revokeApiToken revokeOwnToken"),
  },
  {
    text:
      "What a page asks while a person types or looks: previews, counts, checks, drafts, charts, and " +
      "texts to copy.",
    names: list(
      "checkIdentity compareWithCurrent countBulkRuns countRejected discardDraft listGroupResults",
      "listMappingDeliveries orderActions previewDraftStep previewEvent previewMaskedFields",
      "proposeExample readHookContents readMappingPayload readRunActivity readSendActivity",
      "runDraftStep saveDraft showBacktest showTestCommand storeDraft tallyEventFilter tallyFilter",
      "tryReplay",
    ),
  },
  {
    text:
      "The same by another call: of selected rows, by a filter or one by one; of one field, by an " +
      "update.",
    names: list(
      "acceptSelected addMissingProof applyFix backtestDraft cancelSelectedRuns changeHookStatus",
      "expireHookSecret publishEvent replaySelected restoreSavedView retrySelected retrySelectedRuns",
      "revokePortalLink sendTestDelivery startReplay",
    ),
  },
];
