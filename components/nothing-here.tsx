import Link from "next/link";
import { MessagePage } from "./message-page.tsx";
import { buttonClasses } from "./ui/button.tsx";

export function NothingHere() {
  return (
    <MessagePage title="There is nothing here">
      <p>
        The address is mistyped, or what it led to was deleted or is older than what this server keeps. The
        deliveries that are kept can be searched.
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        <Link href="/" className={buttonClasses()}>
          Go to the start
        </Link>
        <Link href="/deliveries" className={buttonClasses("secondary")}>
          Search deliveries
        </Link>
      </div>
    </MessagePage>
  );
}
