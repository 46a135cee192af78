/** Why the browser gave no passkey. The names are those of WebAuthn. */
export function describePasskeyError(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  if (name === "NotAllowedError" || name === "AbortError")
    return "No passkey was used. Try again, or sign in another way.";
  if (name === "InvalidStateError") return "This device has a passkey for you already.";
  return "This browser couldn't use a passkey here.";
}
