/** The text that viewers see instead of a value. */
export const maskText = "••••";

/** Why a value is masked, for people. */
export const maskReason = "Masked for your role. Members and admins can see it.";
