import type { Metadata } from "next";
import { HookForm } from "#components/hooks/hook-form.tsx";
import { Restricted } from "#components/permissions/restricted.tsx";
import { ProviderPicker } from "#components/providers/provider-picker.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { authorizePage, pageContext } from "#lib/web/auth/page-context.ts";
import { requireSession } from "#lib/web/auth/session.ts";
import { createHookCommand } from "#lib/web/hooks/commands.ts";
import {
  describeProviderChoice,
  listProviderChoices,
} from "#lib/web/providers/list-provider-choices.ts";

export const metadata: Metadata = { title: "New hook" };

type NewHookPageProps = {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
};

/**
 * The page shows the provider first, then its form. They are separate pages, so that only one
 * provider's texts are sent.
 */
export default async function NewHookPage({ searchParams }: NewHookPageProps) {
  await authorizePage("hooks:read");
  const { accountSlug } = await requireSession();
  const { from } = await searchParams;
  const provider = typeof from === "string" ? describeProviderChoice(from) : undefined;
  if (provider === undefined) {
    return (
      <>
        <PageHeader title="New hook" lead="Where do the deliveries come from?" />
        <Restricted to="hooks:write">
          <ProviderPicker providers={listProviderChoices()} to="/hooks/new?from=" />
        </Restricted>
      </>
    );
  }
  return (
    <div className="grid max-w-2xl grid-cols-1 gap-6">
      <PageHeader
        title="New hook"
        lead="Create a URL to paste into the provider's webhook settings."
      />
      <Card className="p-6">
        <Restricted to="hooks:write">
          <HookForm
            key={provider.id}
            provider={provider}
            catchPrefix={`${(await pageContext()).env.publicUrl}/catch/${accountSlug}/`}
            createHook={createHookCommand}
          />
        </Restricted>
      </Card>
    </div>
  );
}
