import { NotFoundPage } from "#components/shell/not-found-page.tsx";

/** Inside the frame: whoever is signed in keeps the menu. */
export default function NotFound() {
  return <NotFoundPage />;
}
