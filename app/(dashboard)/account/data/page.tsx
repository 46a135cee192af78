import type { Metadata } from "next";
import { MaskedFieldsForm } from "#components/account/masked-fields-form.tsx";
import { Restricted } from "#components/permissions/restricted.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { readMaskedFieldsPage } from "#lib/web/account/page.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { requireSession } from "#lib/web/auth/session.ts";
import { previewMaskedFieldsCommand, saveMaskedFieldsCommand } from "./commands.ts";

export const metadata: Metadata = { title: "Data" };

export default async function DataPage() {
  const session = await requireSession();
  const fields = await readMaskedFieldsPage(await pageContext(), session);
  return (
    <>
      <PageHeader title="Data" />
      <Restricted to="account:write">
        <MaskedFieldsForm
          fields={fields}
          save={saveMaskedFieldsCommand}
          preview={previewMaskedFieldsCommand}
        />
      </Restricted>
    </>
  );
}
