import type { Metadata } from "next";
import { RefreshWhile } from "#components/lists/refresh-while.tsx";
import { PortalSend } from "#components/portal/portal-send.tsx";
import { isId } from "#lib/base/ids.ts";
import { resendInPortal } from "#lib/web/portal/commands.ts";
import { readSendPage, requirePortal } from "#lib/web/portal/portal-page.ts";

type SendPageProps = {
  params: Promise<{ token: string; id: string }>;
  searchParams: Promise<{ after?: string | string[] }>;
};

export const metadata: Metadata = { title: "Send" };

export default async function PortalSendPage({ params, searchParams }: SendPageProps) {
  const { token, id } = await params;
  const { after } = await searchParams;
  const { capabilities } = await requirePortal(token);
  const page = await readSendPage(token, id);
  const resend = capabilities.includes("resend") && page.event !== null;
  return (
    <>
      <RefreshWhile isOn={page.isMoving} />
      <PortalSend
        base={`/portal/${token}`}
        sendId={id}
        afterId={typeof after === "string" && isId(after) ? after : null}
        page={page}
        resend={resend ? resendInPortal.bind(null, token, id) : null}
      />
    </>
  );
}
