import { Drop } from "liquidjs";

/**
 * What a filter gives if no item of a list has a name (`map: "prise"`), or a list has no such item (`first`). It fails
 * like a missing name where it is used. `default` replaces it, and a condition takes it as null.
 */
export class MissingItem extends Drop {
  readonly message: string;
  /** A name that no item has is written wrongly, so it fails even if it is only assigned. */
  readonly isName: boolean;

  constructor(message: string, isName: boolean) {
    super();
    this.message = message;
    this.isName = isName;
  }

  override valueOf(): null {
    return null;
  }
}
