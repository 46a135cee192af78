import type { Metadata } from "next";
import { MaskedFieldsForm } from "#components/account/masked-fields-form.tsx";
import { ErasureForm } from "#components/erasures/erasure-form.tsx";
import { ErasureList } from "#components/erasures/erasure-list.tsx";
import { ErasureRuleList } from "#components/erasures/erasure-rule-list.tsx";
import { RefreshWhile } from "#components/lists/refresh-while.tsx";
import { Restricted } from "#components/permissions/restricted.tsx";
import { MaskedFieldsFacts } from "#components/read-only/small-facts.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { SettingsSection } from "#components/ui/layout/settings-section.tsx";
import { getMaskedFields } from "#lib/services/masked-fields.ts";
import { previewMaskedFieldsCommand, saveMaskedFieldsCommand } from "#lib/web/account/commands.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import {
  cancelErasureCommand,
  removeErasureRuleCommand,
  startErasureCommand,
} from "#lib/web/erasures/commands.ts";
import { readErasureRules, readErasures } from "#lib/web/erasures/read-erasures.ts";

export const metadata: Metadata = { title: "Data" };

export default async function DataPage() {
  const context = await pageContext();
  const [fields, erasures, kept] = await Promise.all([
    getMaskedFields(context, {}),
    readErasures(context),
    readErasureRules(context),
  ]);
  const isRunning = erasures?.some(({ status }) => status === "running") ?? false;
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
      {erasures !== null && (
        <SettingsSection title="Forget a person" lead={lead}>
          <ErasureForm isRunning={isRunning} start={startErasureCommand} />
        </SettingsSection>
      )}
      {erasures !== null && erasures.length > 0 && (
        <SettingsSection title="Erasures" lead="What was counted and forgotten, newest first.">
          <ErasureList
            erasures={erasures}
            nowMs={context.now().getTime()}
            cancel={cancelErasureCommand}
          />
        </SettingsSection>
      )}
      {kept !== null && (kept.rules.length > 0 || (erasures?.length ?? 0) > 0) && (
        <SettingsSection title="Later arrivals" lead={laterLead}>
          <ErasureRuleList
            {...kept}
            nowMs={context.now().getTime()}
            remove={removeErasureRuleCommand}
          />
        </SettingsSection>
      )}
      <RefreshWhile isOn={isRunning} />
    </>
  );
}

const lead =
  "Finds what is stored about a person, the archive included, and redacts or deletes it. " +
  "Count the rows first.";

const laterLead =
  "When a value arrives again, its rule starts an erasure. The values themselves aren't stored.";
