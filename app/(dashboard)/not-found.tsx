import { NothingHere } from "#components/nothing-here.tsx";

/** Inside the frame: whoever is signed in keeps the menu. */
export default function NotFound() {
  return <NothingHere />;
}
