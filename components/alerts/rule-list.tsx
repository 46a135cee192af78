"use client";

import { Allowed } from "#components/permissions/role.tsx";
import { kindWords } from "#components/problems/problem-words.ts";
import { ManagedMark } from "#components/status/managed-mark.tsx";
import { DeleteMenu } from "#components/ui/feedback/delete-menu.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { ChannelView } from "./channel-list.tsx";
import { describeRule } from "./describe-rule.ts";
import { RuleButton, type RuleView } from "./rule-button.tsx";

type RuleListProps = {
  readonly rules: readonly RuleView[];
  readonly channels: readonly ChannelView[];
  readonly timeZones: readonly string[];
  readonly save: (id: string, patch: object) => Promise<CommandResult<null>>;
  readonly remove: (id: string) => Promise<CommandResult<null>>;
};

export function RuleList({ rules, channels, timeZones, save, remove }: RuleListProps) {
  return (
    <Card>
      <ul className="divide-y" aria-label="Rules">
        {rules.map((rule) => (
          <li
            key={rule.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 text-sm"
          >
            <div className="grid min-w-0 flex-1 basis-40 gap-0.5">
              <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
                <span className="font-medium">{kindWords[rule.kind]}</span>
                {!rule.enabled && <Badge>Off</Badge>}
                <ManagedMark kind="alert rule" id={rule.id} />
                {rule.enabled && rule.channelIds.length === 0 && (
                  <Badge tone="caution">No channel</Badge>
                )}
              </span>
              <span className="break-words text-muted-foreground">
                {safeText(describeRule(rule, channels))}
              </span>
            </div>
            <Allowed to="alerts:write">
              <span className="flex items-center gap-2">
                <RuleButton
                  rule={rule}
                  channels={channels}
                  timeZones={timeZones}
                  save={(patch) => save(rule.id, patch)}
                />
                <DeleteMenu
                  label={`More for the rule “${kindWords[rule.kind]}”`}
                  title="Delete this rule?"
                  confirmLabel="Delete rule"
                  run={() => remove(rule.id)}
                >
                  <p>Problems of this kind are still shown. This rule tells no one about them.</p>
                </DeleteMenu>
              </span>
            </Allowed>
          </li>
        ))}
      </ul>
    </Card>
  );
}
