import type { Metadata } from "next";
import { HookForm } from "#components/hook-form.tsx";
import { PageHeader } from "#components/page-header.tsx";
import { Card } from "#components/ui/card.tsx";
import { listProviderChoices } from "#lib/web/list-provider-choices.ts";
import { requireSession } from "#lib/web/session.ts";
import { createHookCommand } from "./commands.ts";

export const metadata: Metadata = { title: "New hook" };

export default async function NewHookPage() {
  await requireSession();
  return (
    <div className="grid max-w-xl gap-6">
      <PageHeader title="New hook" lead="Gives you a URL to paste into another system's webhook settings." />
      <Card className="p-6">
        <HookForm providers={listProviderChoices()} createHook={createHookCommand} />
      </Card>
    </div>
  );
}
