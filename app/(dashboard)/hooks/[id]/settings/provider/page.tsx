import type { Metadata } from "next";
import { ProviderForm } from "#components/hook-settings/provider-form.tsx";
import { Restricted } from "#components/permissions/restricted.tsx";
import { ProviderPicker } from "#components/providers/provider-picker.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { saveHookCommand } from "#lib/web/hooks/commands.ts";
import { readHookProvider } from "#lib/web/hooks/read-hook-page.ts";
import {
  describeProviderChoice,
  listProviderChoices,
} from "#lib/web/providers/list-provider-choices.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";
import { readHook } from "#lib/web/request/read-named.ts";
import { titleByName } from "../../../../title-by-name.ts";

type ProviderPageProps = { params: Promise<{ id: string }>; searchParams: Promise<SearchParams> };

export async function generateMetadata({ params }: ProviderPageProps): Promise<Metadata> {
  return await titleByName(params, readHook, { part: "Provider", otherwise: "Provider" });
}

/** The provider picker of a new hook, for an existing one. */
export default async function ProviderPage({ params, searchParams }: ProviderPageProps) {
  const { id } = await params;
  const { to } = await searchParams;
  const hook = await orNotFound(readHookProvider(await pageContext(), id));
  const provider = typeof to === "string" ? describeProviderChoice(to) : undefined;
  if (provider === undefined) {
    return (
      <>
        <PageHeader
          title="Change provider"
          lead={`Who sends to “${safeText(hook.name)}”? The catch URL stays the same.`}
        />
        <Restricted to="hooks:write">
          <ProviderPicker
            providers={listProviderChoices()}
            to={`/hooks/${hook.id}/settings/provider?to=`}
            current={hook.provider}
          />
        </Restricted>
      </>
    );
  }
  return (
    <div className="grid max-w-2xl grid-cols-1 gap-6">
      <PageHeader
        title={provider.id === hook.provider ? "Provider" : "Change provider"}
        lead={`For “${safeText(hook.name)}”.`}
      />
      <Card className="p-6">
        <Restricted to="hooks:write">
          <ProviderForm
            key={provider.id}
            hook={hook}
            provider={provider}
            verification={hook.verification}
            save={saveHookCommand}
          />
        </Restricted>
      </Card>
    </div>
  );
}
