import type { Metadata } from "next";
import { ChannelList } from "#components/alerts/channel-list.tsx";
import { NewChannel } from "#components/alerts/new-channel.tsx";
import { RuleButton } from "#components/alerts/rule-button.tsx";
import { RuleList } from "#components/alerts/rule-list.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import {
  createChannelCommand,
  createRuleCommand,
  deleteChannelCommand,
  deleteRuleCommand,
  saveChannelCommand,
  saveRuleCommand,
  testChannelCommand,
} from "#lib/web/alerts/commands.ts";
import { readAlertSettings } from "#lib/web/alerts/read-alert-settings.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { ManagedRows } from "../../managed-here.tsx";

export const metadata: Metadata = { title: "Alerts" };

export default async function AlertsPage() {
  const settings = await readAlertSettings(await pageContext());
  const { channels, rules, sendsEmail, timeZones } = settings;
  const create = (
    <Allowed to="alerts:write">
      <NewChannel sendsEmail={sendsEmail} create={createChannelCommand} />
    </Allowed>
  );
  return (
    <>
      <PageHeader title="Alerts" lead="One message when a problem opens, and one when it is over.">
        {channels.length > 0 && create}
      </PageHeader>
      {channels.length === 0 ? (
        <EmptyState title="No one is told about problems yet">
          <p>
            Add a channel: email, Slack, Discord, Teams, PagerDuty, or any URL. You choose which
            problems it is told about.
          </p>
          {create}
        </EmptyState>
      ) : (
        <section className="grid grid-cols-1 gap-3" aria-labelledby="channels">
          <h2 id="channels" className="font-semibold">
            Channels
          </h2>
          <ManagedRows kind="alert channel" rows={channels}>
            <ChannelList
              channels={channels}
              rules={rules}
              test={testChannelCommand}
              save={saveChannelCommand}
              remove={deleteChannelCommand}
            />
          </ManagedRows>
        </section>
      )}
      {(channels.length > 0 || rules.length > 0) && (
        <section className="grid grid-cols-1 gap-3" aria-labelledby="rules">
          <div className="flex flex-wrap items-end justify-between gap-3">
            <h2 id="rules" className="font-semibold">
              Rules
            </h2>
            <Allowed to="alerts:write">
              <RuleButton
                channels={channels}
                timeZones={timeZones}
                rule={null}
                save={createRuleCommand}
              />
            </Allowed>
          </div>
          {rules.length === 0 ? (
            <p className="text-sm text-muted-foreground">
              No rules, so no one is told about problems.
            </p>
          ) : (
            <ManagedRows kind="alert rule" rows={rules}>
              <RuleList
                channels={channels}
                timeZones={timeZones}
                rules={rules}
                save={saveRuleCommand}
                remove={deleteRuleCommand}
              />
            </ManagedRows>
          )}
        </section>
      )}
    </>
  );
}
