const response = { id: "x", response: {} };
const code = "WDJB-MJHT";

type Lines = Readonly<
  Record<string, (at: { readonly id: string; readonly token: string }) => readonly unknown[]>
>;

/** The commands around signing in, with valid arguments. */
export function signInCommands(password: string): Lines {
  return {
    allowClientSignInCommand: ({ id }) => [{ query: {}, accountId: id, scopes: ["hooks:read"] }],
    denyClientSignInCommand: () => [{}],
    allowDeviceSignInCommand: ({ id }) => [{ code, accountId: id, scopes: ["hooks:read"] }],
    addPasskeyCommand: () => ["n", response],
    denyDeviceSignInCommand: () => [code],
    readDeviceSignInCommand: () => [code],
    confirmTwoFactorCommand: () => [{ code: "123456" }],
    finishPasskeySignInCommand: () => [response],
    finishSignInCommand: () => [{ code: "123456" }],
    removePasskeyCommand: ({ id }) => [id],
    renamePasskeyCommand: ({ id }) => [{ id, name: "stolen" }],
    renewRecoveryCodesCommand: () => [{ password }],
    requestPasswordResetCommand: () => [{ email: "a@b.example" }],
    resetPasswordCommand: ({ token }) => [token, { password }],
    startPasskeyCommand: () => [{ password }],
    startPasskeySignInCommand: () => [],
    testSingleSignOnCommand: () => [],
    startTwoFactorCommand: () => [{ password }],
    turnOffTwoFactorCommand: () => [{ password }],
  };
}
