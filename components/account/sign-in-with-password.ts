import { signIn } from "next-auth/react";
import { describeThrottled } from "#lib/schema/account/describe-throttled.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

/** The message if the password was correct and a code has to follow. */
export const needsCode = "Enter the code of your authenticator app.";

/** Creates this browser's session. Never says whether the email or the password was wrong. */
export async function signInWithPassword(
  email: string,
  password: string,
): Promise<CommandResult<null>> {
  const response = await signIn("credentials", { email, password, redirect: false });
  if (response?.ok === true) return { ok: true, value: null };
  return { ok: false, message: describeSignInError(response?.error ?? ""), errors: [] };
}

function describeSignInError(code: string): string {
  const seconds = Number(/^throttled:(\d+)$/.exec(code)?.[1]);
  if (seconds > 0) return describeThrottled(seconds);
  if (code === "second_factor") return needsCode;
  if (code === "CredentialsSignin") return "Incorrect email or password.";
  return "Sign-in is unavailable right now. Try again in a moment.";
}
