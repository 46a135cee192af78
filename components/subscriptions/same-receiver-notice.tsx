import { Link } from "#components/ui/link.tsx";
import { Notice } from "#components/ui/status/notice.tsx";

type SameReceiverNoticeProps = {
  /** The first subscription with this URL and recipient. Null: there is none. */
  readonly firstId: string | null;
  /** The page that changes the first one. */
  readonly settingsUrl: string;
};

/** Says that a subscription is the second one to a receiver, and how to have only one. */
export function SameReceiverNotice({ firstId, settingsUrl }: SameReceiverNoticeProps) {
  if (firstId === null) return null;
  return (
    <Notice tone="caution">
      Another subscription has this URL and recipient. The receiver gets events that match both
      twice. To send them once,{" "}
      <Link href={settingsUrl} className="underline">
        add the event types to the first one
      </Link>{" "}
      and delete this one.
    </Notice>
  );
}
