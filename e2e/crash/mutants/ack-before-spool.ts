import { replaceModule } from "./replace-module.ts";

/** Writes a batch to the spool late, and responds at once as if it were durable. */
replaceModule(
  "/lib/spool/file-spool.ts",
  `
  import { FileSpool as Genuine } from "./file-spool.ts?genuine";
  export class FileSpool {
    static async open(options) {
      const spool = await Genuine.open(options);
      const append = spool.append.bind(spool);
      spool.append = async (deliveries) => void setTimeout(() => void append(deliveries), 250);
      return spool;
    }
  }`,
);
