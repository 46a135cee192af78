import type { Metadata } from "next";
import { AuthPage } from "#components/account/auth-page.tsx";
import { BackToSignIn, ForgotForm } from "#components/sign-in/forgot-form.tsx";
import { ResetHint } from "#components/sign-in/reset-hint.tsx";
import { serverContext } from "#lib/services/frame/server-context.ts";
import { canResetByEmail } from "#lib/services/sign-in/read-sign-in.ts";
import { requestPasswordResetCommand } from "../commands.ts";

export const metadata: Metadata = { title: "Reset your password" };
export const dynamic = "force-dynamic";

export default function ForgotPage() {
  if (!canResetByEmail(serverContext()))
    return (
      <AuthPage title="Reset your password">
        <ResetHint />
        <BackToSignIn />
      </AuthPage>
    );
  return (
    <AuthPage
      title="Reset your password"
      lead="Enter the email that you sign in with. You'll get a link to choose a new password."
    >
      <ForgotForm requestReset={requestPasswordResetCommand} />
    </AuthPage>
  );
}
