import type { ReactNode } from "react";
import { Logo } from "#components/shell/logo.tsx";
import { Card } from "#components/ui/layout/card.tsx";

/** The layout of the sign-in and setup pages. */
export function AuthPage({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: string;
  children?: ReactNode;
}) {
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-md content-center gap-6 px-4 py-10">
      <div className="justify-self-center text-lg">
        <Logo />
      </div>
      <Card className="grid gap-5 p-6 sm:p-8">
        <div className="grid gap-1.5">
          <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
          {lead !== undefined && <p className="text-sm text-muted-foreground">{lead}</p>}
        </div>
        {children}
      </Card>
    </main>
  );
}
