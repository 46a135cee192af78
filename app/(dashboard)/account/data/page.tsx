import type { Metadata } from "next";
import { MaskedFieldsForm } from "#components/account/masked-fields-form.tsx";
import { Restricted } from "#components/permissions/restricted.tsx";
import { MaskedFieldsFacts } from "#components/read-only/small-facts.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { getMaskedFields } from "#lib/services/masked-fields.ts";
import { previewMaskedFieldsCommand, saveMaskedFieldsCommand } from "#lib/web/account/commands.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";

export const metadata: Metadata = { title: "Data" };

export default async function DataPage() {
  const fields = await getMaskedFields(await pageContext(), {});
  return (
    <>
      <PageHeader title="Data" />
      <Restricted to="account:write" instead={<MaskedFieldsFacts fields={fields} />}>
        <MaskedFieldsForm
          fields={fields}
          save={saveMaskedFieldsCommand}
          preview={previewMaskedFieldsCommand}
        />
      </Restricted>
    </>
  );
}
