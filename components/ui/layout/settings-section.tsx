import { type ReactNode, useId } from "react";
import { Card } from "./card.tsx";

/** One setting: its description on the left on wide screens, its controls on the right. */
export function SettingsSection({
  title,
  lead,
  children,
}: {
  title: string;
  lead: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-1 gap-4 md:grid-cols-[15rem_minmax(0,1fr)] md:gap-8"
    >
      <div className="grid content-start gap-1">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        <p className="text-sm text-muted-foreground">{lead}</p>
      </div>
      <Card className="min-w-0 p-5">{children}</Card>
    </section>
  );
}
