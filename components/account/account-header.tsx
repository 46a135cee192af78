import { PageHeader } from "#components/shell/page-header.tsx";
import { TabLinks } from "#components/ui/layout/tab-links.tsx";

/** The header of the account page and its subpages. */
export function AccountHeader({ current }: { current: "profile" | "tokens" | "sending" }) {
  return (
    <div className="grid gap-4">
      <PageHeader title="Account" />
      <TabLinks
        label="Account"
        links={[
          { href: "/account", name: "Profile", isCurrent: current === "profile" },
          { href: "/account/tokens", name: "API tokens", isCurrent: current === "tokens" },
          { href: "/account/sending", name: "Sending", isCurrent: current === "sending" },
        ]}
      />
    </div>
  );
}
