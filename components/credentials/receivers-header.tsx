import type { ReactNode } from "react";
import { PageHeader } from "#components/shell/page-header.tsx";
import { TabLinks } from "#components/ui/layout/tab-links.tsx";

type ReceiversHeaderProps = {
  readonly current: "destinations" | "credentials";
  /** Buttons. */
  readonly children?: ReactNode;
};

/** The header of both lists. */
export function ReceiversHeader({ current, children }: ReceiversHeaderProps) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <PageHeader title={current === "destinations" ? "Destinations" : "Credentials"}>
        {children}
      </PageHeader>
      <TabLinks
        label="Destinations and credentials"
        links={[
          { href: "/destinations", name: "Destinations", isCurrent: current === "destinations" },
          { href: "/credentials", name: "Credentials", isCurrent: current === "credentials" },
        ]}
      />
    </div>
  );
}
