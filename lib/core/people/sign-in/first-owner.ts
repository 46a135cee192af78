import { AppError } from "#lib/base/errors.ts";
import { givenApiTokenSchema } from "#lib/schema/account/api-token.ts";
import { type Setup, setupSchema } from "#lib/schema/account/setup.ts";

/** The first owner as configured in the environment. */
export type FirstOwner = {
  readonly email: string;
  readonly password: string;
  /** The slug of their account. */
  readonly account: string;
  readonly apiToken: string | undefined;
};

const variableOf: Readonly<Record<string, string>> = {
  email: "CATCHMENT_ADMIN_EMAIL",
  password: "CATCHMENT_ADMIN_PASSWORD",
  account: "CATCHMENT_ADMIN_ACCOUNT",
};

/**
 * The input that the setup form would send. Older rules allowed shorter passwords, so call this
 * only if there is no owner yet. Throws `invalid_request` that names the variables.
 */
export function requireSetup({ email, password, account }: FirstOwner): Setup {
  const name = (email.split("@")[0] ?? "").slice(0, 100);
  const parsed = setupSchema.safeParse({ email, password, account, name });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) =>
    describeProblem(String(path[0]), message),
  );
  throw new AppError("invalid_request", problems.join("\n"));
}

/** Throws `invalid_request` that names the variable. */
export function requireValidToken(token: string): string {
  const parsed = givenApiTokenSchema.safeParse(token);
  if (parsed.success) return parsed.data;
  throw new AppError(
    "invalid_request",
    "CATCHMENT_ADMIN_API_TOKEN must have 32 to 512 characters, without spaces.",
  );
}

/** A problem with the password that shows only when it is hashed. */
export function passwordProblem(message: string): AppError {
  return new AppError("invalid_request", describeProblem("password", message));
}

/** Most messages continue the variable's name; some are complete sentences. */
function describeProblem(field: string, message: string): string {
  const variable = variableOf[field] ?? "CATCHMENT_ADMIN_EMAIL";
  return /^[A-Z].*\.$/s.test(message) ? `${variable}: ${message}` : `${variable} ${message}.`;
}
