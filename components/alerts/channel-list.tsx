"use client";

import { Allowed } from "#components/permissions/role.tsx";
import { kindWords } from "#components/problems/problem-words.ts";
import { ManagedMark } from "#components/status/managed-mark.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { DeleteMenu } from "#components/ui/feedback/delete-menu.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { ChannelKind } from "#lib/schema/watch/alert.ts";
import type { ProblemKind } from "#lib/schema/watch/problem.ts";
import { channelWords } from "./channel-words.ts";
import { EditChannel } from "./edit-channel.tsx";

/** The part of a rule that says whom it tells about what. */
type ToldRule = {
  readonly kind: ProblemKind;
  readonly enabled: boolean;
  readonly channelIds: readonly string[];
};

export type ChannelView = {
  readonly id: string;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly target: string;
};

type ChannelListProps = {
  readonly channels: readonly ChannelView[];
  readonly rules: readonly ToldRule[];
  readonly test: (
    id: string,
  ) => Promise<CommandResult<{ readonly ok: boolean; readonly message: string }>>;
  readonly save: (id: string, patch: object) => Promise<CommandResult<null>>;
  readonly remove: (id: string) => Promise<CommandResult<null>>;
};

/** Where messages go, and what each channel is told. */
export function ChannelList({ channels, rules, test, save, remove }: ChannelListProps) {
  async function sendTest(id: string): Promise<CommandResult<unknown>> {
    const result = await test(id);
    if (!result.ok) return result;
    const { ok, message } = result.value;
    if (!ok) return { ok: false, message, errors: [] };
    toast(`Test sent. ${message}`);
    return result;
  }
  return (
    <Card>
      <ul className="divide-y" aria-label="Channels">
        {channels.map((channel) => {
          const { id, kind, target } = channel;
          const name = safeText(channel.name);
          const told = describeTold(id, rules);
          return (
            <li
              key={id}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 text-sm"
            >
              <div className="grid min-w-0 flex-1 basis-56 gap-0.5">
                <span className="flex min-w-0 items-center gap-2">
                  <span className="truncate font-medium">{name}</span>
                  {told === null && <Badge tone="caution">No rule</Badge>}
                  <ManagedMark kind="alert channel" id={id} />
                </span>
                <span className="wrap-anywhere text-muted-foreground">
                  {channelWords[kind]} · {safeText(target)}
                  {told !== null && ` · ${told}`}
                </span>
              </div>
              <Allowed to="alerts:write">
                <span className="flex flex-wrap items-center gap-2">
                  <CommandButton ariaLabel={`Send test to ${name}`} run={() => sendTest(id)}>
                    Send test
                  </CommandButton>
                  <EditChannel channel={channel} save={(patch) => save(id, patch)} />
                  <DeleteMenu
                    label={`More for the channel ${name}`}
                    title={`Delete “${name}”?`}
                    confirmLabel="Delete channel"
                    run={() => remove(id)}
                  >
                    <p>Rules no longer send messages to it. Messages that are waiting are lost.</p>
                  </DeleteMenu>
                </span>
              </Allowed>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

const maxNamed = 2;

/** The problems that a channel is told about, in a few words. Null: none. */
function describeTold(channelId: string, rules: readonly ToldRule[]): string | null {
  const own = rules.filter(({ enabled, channelIds }) => enabled && channelIds.includes(channelId));
  const kinds = [...new Set(own.map(({ kind }) => kind))];
  if (kinds.length === 0) return null;
  if (kinds.length === Object.keys(kindWords).length) return "All problems";
  const more = kinds.length - maxNamed;
  const named = kinds.slice(0, maxNamed).map((kind) => kindWords[kind]);
  return `${named.join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}
