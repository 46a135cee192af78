import { isRejectionReason, type RejectionReason } from "#lib/schema/account/sign-in-rejection.ts";

type Rejection = {
  /** The problem, and the next step of the person. */
  readonly text: string;
  /** The settings that the operator can change. */
  readonly operator?: string;
};

/** Why single sign-on signed no one in. Undefined: it isn't about that. */
export function describeRejection(code: string | undefined): Rejection | undefined {
  if (code === undefined || code === "") return undefined;
  return isRejectionReason(code) ? texts[code] : unknown;
}

const unknown: Rejection = {
  text: "Single sign-on didn't work. Try again, or ask the person who runs this server.",
};

const texts: Readonly<Record<RejectionReason, Rejection>> = {
  no_role: {
    text: "None of your groups has access to Catchment. Ask the person who manages them.",
    operator: "CATCHMENT_OIDC_ROLES gives groups their roles.",
  },
  no_groups: {
    text: "Your provider sent no groups, so Catchment doesn't know what you may do.",
    operator:
      "It has to send the claim that CATCHMENT_OIDC_ROLE_CLAIM names. Many providers send groups only " +
      "if CATCHMENT_OIDC_SCOPE asks for them.",
  },
  groups_overage: {
    text: "You are in more groups than your provider puts into a sign-in.",
    operator:
      "In Entra ID, assign app roles and set CATCHMENT_OIDC_ROLE_CLAIM=roles, or send only the groups " +
      "that are assigned to the application.",
  },
  domain: {
    text: "Your email isn't in a domain that may sign in here.",
    operator: "CATCHMENT_OIDC_ALLOWED_DOMAINS lists the domains.",
  },
  no_email: {
    text: "Your provider didn't send an email address that Catchment can use.",
    operator:
      "It has to send the claim email. In Entra ID, add it under Token configuration, and give the " +
      "person an email address.",
  },
  email_unverified: {
    text: "Your provider doesn't say whether your email is verified.",
    operator:
      "Let it send email_verified, or xms_edov in Entra ID. If only your company sets the emails there, " +
      "CATCHMENT_OIDC_TRUST_EMAIL=true does without.",
  },
  email_denied: {
    text: "Your provider says that your email isn't verified. Verify it there, then try again.",
  },
  email_taken: {
    text: "A user with your email exists here already. Sign in with your password, or ask your administrator.",
    operator: "CATCHMENT_OIDC_LINK_BY_EMAIL=true signs them in with the provider.",
  },
  user_unverified: {
    text:
      "A user with your email exists here, and no one has confirmed that the mailbox is theirs. If it is " +
      "you, sign in with your password and confirm your email in your profile.",
    operator: "npm run server -- confirm-email EMAIL confirms it too.",
  },
  sign_up_off: {
    text: "You aren't a member here yet. Ask an administrator to invite you.",
    operator: "CATCHMENT_OIDC_SIGN_UP=true makes new people members.",
  },
  no_account: {
    text: "The account for single sign-on doesn't exist. Ask the person who runs this server.",
    operator: "CATCHMENT_OIDC_ACCOUNT must be the slug of an account.",
  },
  bad_subject: {
    text: "Your provider identifies you by something that Catchment can't store.",
    operator: "The claim sub must have 1 to 255 characters, without control characters.",
  },
  clock: {
    text: "The clocks of your provider and this server differ too much. Ask the person who runs this server.",
    operator: "Synchronize the clock of this machine, for example with chrony.",
  },
  provider_denied: {
    text: "Your provider didn't let you in, or you canceled. Try again, or ask the person who manages it.",
  },
  provider_error: {
    text: "Your provider reported an error. Try again, or ask the person who runs this server.",
    operator: "The log says which one, as auth.failed.",
  },
  provider_unreachable: {
    text: "Your provider can't be reached. Try again in a moment.",
    operator: "CATCHMENT_OIDC_ISSUER must be its address. The log has the reason, as auth.failed.",
  },
  provider_response: {
    text: "Your provider's response couldn't be verified. Ask the person who runs this server.",
    operator: "The log has the reason, as auth.failed.",
  },
  way_back: {
    text: "This sign-in began in another browser, or more than 15 minutes ago. Try again.",
  },
  unavailable: { text: "Sign-in is unavailable right now. Try again in a moment." },
};
