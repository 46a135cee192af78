"use client";

import { useState } from "react";
import { Allowed } from "#components/permissions/role.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { SelectField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { Dialog, DialogButtons, FormButtons } from "#components/ui/overlay/dialog.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { CopyLine } from "#components/ui/text/copy-line.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { UntilTime } from "#components/ui/time/until-time.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { type PortalCapability, portalCapabilities } from "#lib/schema/send/portal-capabilities.ts";

type PortalLinkView = {
  readonly id: string;
  readonly capabilities: readonly PortalCapability[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
};

type PortalLinkCommands = {
  readonly create: (input: {
    readonly expiresInSeconds: number;
    readonly capabilities: readonly PortalCapability[];
  }) => Promise<CommandResult<{ readonly url: string }>>;
  readonly revoke: (linkId: string) => Promise<CommandResult<null>>;
};

type PortalLinksProps = PortalLinkCommands & {
  /** Links, newest first. */
  readonly links: readonly PortalLinkView[];
  readonly nowMs: number;
};

/** Links that open the portal for this recipient. */
export function PortalLinks({ links, nowMs, create, revoke }: PortalLinksProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className="grid grid-cols-1 gap-4" aria-labelledby="portal-links">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="grid gap-1">
          <h2 id="portal-links" className="text-lg font-semibold tracking-tight">
            Portal links
          </h2>
          <p className="text-sm text-muted-foreground">
            Anyone with a link manages this recipient's subscriptions until it expires.
          </p>
        </div>
        <Allowed to="subscriptions:write">
          <Button look="secondary" onClick={() => setOpen(true)}>
            Create portal link
          </Button>
        </Allowed>
      </div>
      {links.length > 0 && (
        <Card>
          <ul className="divide-y">
            {links.map((link) => (
              <LinkRow key={link.id} link={link} nowMs={nowMs} revoke={revoke} />
            ))}
          </ul>
        </Card>
      )}
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Portal link" isWide>
        <LinkForm create={create} onClose={() => setOpen(false)} />
      </Dialog>
    </section>
  );
}

type LinkRowProps = Pick<PortalLinksProps, "nowMs" | "revoke"> & { readonly link: PortalLinkView };

function LinkRow({ link, nowMs, revoke }: LinkRowProps) {
  const { id, capabilities, createdAt, expiresAt, lastUsedAt, revokedAt } = link;
  const isOpen = revokedAt === null && expiresAt.getTime() > nowMs;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-sm">
      <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
        <span className="flex flex-wrap items-center gap-2">
          {isOpen ? (
            <>
              <Badge tone="positive">Active</Badge>
              <span>
                until <UntilTime untilMs={expiresAt.getTime()} nowMs={nowMs} />
              </span>
            </>
          ) : (
            <Badge>{revokedAt === null ? "Expired" : "Revoked"}</Badge>
          )}
        </span>
        <span className="text-muted-foreground">
          {describeCapabilities(capabilities)} · created{" "}
          <RelativeTime at={createdAt} nowMs={nowMs} />
          {" · "}
          {lastUsedAt === null ? (
            "never used"
          ) : (
            <>
              last used <RelativeTime at={lastUsedAt} nowMs={nowMs} />
            </>
          )}
        </span>
      </div>
      {isOpen && (
        <Allowed to="subscriptions:write">
          <ConfirmButton
            label="Revoke"
            ariaLabel="Revoke portal link"
            title="Revoke this portal link?"
            keepLabel="Cancel"
            confirmLabel="Revoke link"
            run={revoke.bind(null, id)}
          >
            <p>It stops working immediately, even in pages that are open.</p>
          </ConfirmButton>
        </Allowed>
      )}
    </li>
  );
}

function describeCapabilities(capabilities: PortalLinkView["capabilities"]): string {
  if (portalCapabilities.every((capability) => capabilities.includes(capability)))
    return "Full access";
  return capabilities.map((capability) => capabilityWords[capability]).join(", ");
}

const spans = [
  [3_600, "1 hour"],
  [86_400, "24 hours"],
  [604_800, "7 days"],
] as const;

function LinkForm({
  create,
  onClose,
}: Pick<PortalLinkCommands, "create"> & { onClose: () => void }) {
  const { result, fields, rejection, isPending, onSubmit } = useCommand((form) =>
    create({
      expiresInSeconds: Number(form.get("expiresInSeconds")),
      capabilities: portalCapabilities.filter((name) => form.getAll("capabilities").includes(name)),
    }),
  );
  if (result?.ok === true)
    return (
      <div className="grid gap-4">
        <Notice tone="positive">Copy the link now. You won't see it again.</Notice>
        <CopyLine text={result.value.url} what="portal link" look="primary" testId="portal-link" />
        <DialogButtons>
          <Button look="secondary" onClick={onClose}>
            Done
          </Button>
        </DialogButtons>
      </div>
    );
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <SelectField
        label="Expires in"
        name="expiresInSeconds"
        defaultValue="86400"
        error={fields.expiresInSeconds}
      >
        {spans.map(([seconds, words]) => (
          <option key={seconds} value={seconds}>
            {words}
          </option>
        ))}
      </SelectField>
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-sm font-medium">Permissions</legend>
        {portalCapabilities.map((capability) => (
          <label key={capability} className="flex items-center gap-2.5 text-sm">
            <input
              type="checkbox"
              name="capabilities"
              value={capability}
              defaultChecked
              className="size-4 accent-primary"
            />
            {capabilityWords[capability]}
          </label>
        ))}
        {fields.capabilities !== undefined && (
          <p className="text-sm text-negative">Choose at least one.</p>
        )}
      </fieldset>
      <FormButtons onCancel={onClose} isBusy={isPending}>
        Create link
      </FormButtons>
    </Form>
  );
}

const capabilityWords: Readonly<Record<PortalCapability, string>> = {
  "subscriptions:read": "View subscriptions",
  "subscriptions:write": "Edit subscriptions and secrets, send test events",
  "events:read": "View sends and their attempts",
  resend: "Resend and recover",
};
