import { list, type Reason } from "./exceptions.ts";

/** Services of the dashboard's commands that no call of the API has. */
export const onlyInDashboard: readonly Reason[] = [
  {
    text:
      "The person's own sign-in: password, passkeys, two-factor, email, sessions, profile, notices. A " +
      "program has a token instead, which must not change them.",
    names: list(
      "addPasskey allowClientSignIn allowDeviceSignIn cancelEmailChange changePassword confirmEmail confirmTwoFactor",
      "denyClientSignIn denyDeviceSignIn",
      "dismissAccountNotice dismissNotice endAllSessions endSession leaveAccount readDeviceSignIn removePasskey",
      "renamePasskey renewRecoveryCodes saveProfile seeProblems sendEmailLink startPasskey startTwoFactor",
      "switchAccount testSingleSignOn turnOffTwoFactor",
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
      "listMappingDeliveries orderActions previewDraftStep previewEvent previewMaskedFields proposeExample",
      "previewTransform readHookContents readMappingPayload readRunActivity readSendActivity runDraftStep saveDraft",
      "showBacktest showTestCommand storeDraft tallyEventFilter tallyFilter tryReplay",
    ),
  },
  {
    text:
      "The same by another call: of selected rows, by a filter or one by one; of one field, by an " +
      "update.",
    names: list(
      "acceptSelected addMissingProof applyFix backtestDraft cancelSelectedRuns changeHookStatus expireHookSecret",
      "getConfigurationFile",
      "publishEvent replaySelected restoreSavedView retrySelected retrySelectedRuns revokePortalLink",
      "sendTestDelivery startReplay",
    ),
  },
];
