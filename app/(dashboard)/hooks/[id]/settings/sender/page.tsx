import type { Metadata } from "next";
import { PageHeader } from "#components/page-header.tsx";
import { ProviderPicker } from "#components/provider-picker.tsx";
import { SenderForm } from "#components/sender-form.tsx";
import { Card } from "#components/ui/card.tsx";
import { safeText } from "#components/ui/safe-text.ts";
import { describeProviderChoice, listProviderChoices } from "#lib/web/list-provider-choices.ts";
import type { SearchParams } from "#lib/web/list-query.ts";
import { orNotFound } from "#lib/web/or-not-found.ts";
import { readHookSender } from "#lib/web/read-hook-page.ts";
import { readHook } from "#lib/web/read-named.ts";
import { requireSession } from "#lib/web/session.ts";
import { titleByName } from "../../../../title-by-name.ts";
import { saveHookCommand } from "../../settings-commands.ts";

type SenderPageProps = { params: Promise<{ id: string }>; searchParams: Promise<SearchParams> };

export async function generateMetadata({ params }: SenderPageProps): Promise<Metadata> {
  return await titleByName(params, readHook, { part: "Sender", otherwise: "Sender" });
}

/** The same choice as for a new hook, for one that is there. */
export default async function SenderPage({ params, searchParams }: SenderPageProps) {
  const { accountId } = await requireSession();
  const { id } = await params;
  const { to } = await searchParams;
  const hook = await orNotFound(readHookSender(accountId, id));
  const provider = typeof to === "string" ? describeProviderChoice(to) : undefined;
  if (provider === undefined) {
    return (
      <>
        <PageHeader
          title="Change sender"
          lead={`Who sends to “${safeText(hook.name)}”? The catch URL stays the same.`}
        />
        <ProviderPicker
          providers={listProviderChoices()}
          to={`/hooks/${hook.id}/settings/sender?to=`}
          current={hook.provider}
        />
      </>
    );
  }
  return (
    <div className="grid max-w-2xl grid-cols-1 gap-6">
      <PageHeader
        title={provider.id === hook.provider ? "Sender" : "Change sender"}
        lead={`Of “${safeText(hook.name)}”.`}
      />
      <Card className="p-6">
        <SenderForm
          key={provider.id}
          hook={hook}
          provider={provider}
          verification={hook.verification}
          save={saveHookCommand}
        />
      </Card>
    </div>
  );
}
