import type { Metadata } from "next";
import Link from "next/link";
import { MessagePage } from "#components/message-page.tsx";
import { buttonClasses } from "#components/ui/button.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <MessagePage title="There is nothing here">
      <p>The address is mistyped, or what it led to was deleted.</p>
      <Link href="/" className={buttonClasses()}>
        Go to your hooks
      </Link>
    </MessagePage>
  );
}
