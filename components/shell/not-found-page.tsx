import { buttonClasses } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { MessagePage } from "./message-page.tsx";

export function NotFoundPage() {
  return (
    <MessagePage title="Page not found">
      <p>Check the address. The page may have been deleted, or its data may have expired.</p>
      <div className="flex flex-wrap justify-center gap-2">
        <Link href="/" className={buttonClasses()}>
          Go to home
        </Link>
        <Link href="/deliveries" className={buttonClasses("secondary")}>
          Search deliveries
        </Link>
      </div>
    </MessagePage>
  );
}
