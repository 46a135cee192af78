import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthPage } from "#components/account/auth-page.tsx";
import { CodeForm } from "#components/sign-in/code-form.tsx";
import { readPendingSignIn } from "#lib/web/auth/pending-sign-in.ts";
import { toOwnPath } from "#lib/web/request/own-path.ts";
import { finishSignInCommand } from "../commands.ts";

export const metadata: Metadata = { title: "Two-factor authentication" };

type CodePageProps = {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function CodePage({ searchParams }: CodePageProps) {
  const { next } = await searchParams;
  if ((await readPendingSignIn()) === null) redirect("/sign-in");
  return (
    <AuthPage title="Two-factor authentication" lead="Your password was correct. One more step.">
      <CodeForm
        next={toOwnPath(typeof next === "string" ? next : undefined)}
        finishSignIn={finishSignInCommand}
      />
    </AuthPage>
  );
}
