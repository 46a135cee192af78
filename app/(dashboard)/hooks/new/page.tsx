import type { Metadata } from "next";
import { HookForm } from "#components/hook-form.tsx";
import { PageHeader } from "#components/page-header.tsx";
import { ProviderPicker } from "#components/provider-picker.tsx";
import { Card } from "#components/ui/card.tsx";
import { describeProviderChoice, listProviderChoices } from "#lib/web/list-provider-choices.ts";
import { serverContext } from "#lib/web/server-context.ts";
import { requireSession } from "#lib/web/session.ts";
import { createHookCommand } from "./commands.ts";

export const metadata: Metadata = { title: "New hook" };

type NewHookPageProps = {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
};

/** Where it comes from, and then what that sender needs: two pages, so that only the chosen one's words are sent. */
export default async function NewHookPage({ searchParams }: NewHookPageProps) {
  const { accountSlug } = await requireSession();
  const { from } = await searchParams;
  const provider = typeof from === "string" ? describeProviderChoice(from) : undefined;
  if (provider === undefined) {
    return (
      <>
        <PageHeader title="New hook" lead="Where do the deliveries come from?" />
        <ProviderPicker providers={listProviderChoices()} to="/hooks/new?from=" />
      </>
    );
  }
  return (
    <div className="grid max-w-2xl grid-cols-1 gap-6">
      <PageHeader title="New hook" lead="Gives you a URL to paste into the sender’s webhook settings." />
      <Card className="p-6">
        <HookForm
          key={provider.id}
          provider={provider}
          catchPrefix={`${serverContext().env.publicUrl}/catch/${accountSlug}/`}
          createHook={createHookCommand}
        />
      </Card>
    </div>
  );
}
