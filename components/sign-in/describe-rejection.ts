const texts: ReadonlyMap<string, string> = new Map([
  ["no_role", "None of your groups has access to Catchment. Ask the person who manages them."],
  [
    "domain",
    "Your email isn't in a domain that may sign in here, or your provider hasn't verified it.",
  ],
  ["no_email", "Your provider didn't send an email address that Catchment can use."],
  [
    "email_taken",
    "A user with your email exists here already. Sign in with your password, or ask your administrator.",
  ],
  ["sign_up_off", "You aren't a member here yet. Ask an administrator to invite you."],
  [
    "no_account",
    "The account for single sign-on doesn't exist. Ask the person who runs this server.",
  ],
]);

/** Why the identity provider's answer didn't sign the person in. Undefined: it isn't about that. */
export function describeRejection(code: string | undefined): string | undefined {
  if (code === undefined || code === "") return undefined;
  return (
    texts.get(code) ??
    "Single sign-on didn't work. Try again, or ask the person who runs this server."
  );
}
